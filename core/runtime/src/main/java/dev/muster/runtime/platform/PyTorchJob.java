package dev.muster.runtime.platform;

import dev.muster.runtime.text.Printable;
import dev.muster.spi.Host;
import dev.muster.spi.OptionValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A pod of a PyTorchJob of Kubeflow's training operator. Its master is node 0 and worker i is node i+1; without a master worker i
 * is node i. Pods have no domain. Each has a service, {@code JOB-ROLE-I}.
 */
final class PyTorchJob extends TorchJob {

    private static final String MASTER = "master";
    private static final List<String> LOOPBACK = List.of("localhost", "127.0.0.1", "::1");

    PyTorchJob(EvidenceReader evidence) {
        super(evidence, MASTER, WORKER);
    }

    @Override
    String kind() {
        return "PyTorchJob";
    }

    /** Volcano's pytorch plugin sets fewer of these variables, and Trainer v2 sets one more. */
    @Override
    Optional<String> sign() {
        if (evidence.isSet(IndexedJob.INDEX)) {
            return Optional.empty();
        }
        boolean isOfOthers = VolcanoJob.sign(evidence).isPresent() || !Kubernetes.isPod(evidence);
        List<String> seen = new ArrayList<>(seen(INDEX).toList());
        if (!isOfOthers || !seen.isEmpty()) {
            seen.addAll(seen(NODES, RENDEZVOUS).toList());
        }
        List<String> ofEnv = seen(MASTER_ADDR, RANK, WORLD_SIZE).toList();
        if (seen.isEmpty() && ofEnv.size() == 3 && !isOfOthers && !evidence.isOfARank()) {
            seen.addAll(ofEnv);
        }
        return set(seen);
    }

    @Override
    Optional<String> refusal() {
        Optional<String> ofTorch = super.refusal();
        Optional<OptionValue> nodes = ofTorch.isPresent() ? Optional.empty() : nodes();
        return ofTorch.or(() -> nodes.filter(count -> !count.value().equals("1") && index().isEmpty())
                .map(count -> count.origin() + "=" + count.value() + ", but nothing tells which node this is: " + INDEX
                        + " is not set"
                        + (worker().isPresent()
                                ? ""
                                : ", and the host name " + Printable.quote(evidence.hostName())
                                        + " is not JOB-worker-I")
                        + ". Give the PyTorchJob a Master, or --nodes " + count.value()
                        + " --node-index I --hosts A,B,..."));
    }

    @Override
    Optional<OptionValue> index() {
        boolean isWithoutMaster = evidence.isSet(NODES) && masterAddress().isEmpty();
        return super.index()
                .or(() -> worker().filter(name -> isWithoutMaster)
                        .map(name -> EvidenceReader.sourced(name.number(), Kubernetes.HOST_NAME)));
    }

    @Override
    Optional<String> role() {
        if (own.isPresent()) {
            return Optional.of(own.get().before(MASTER).isPresent() ? MASTER : WORKER);
        }
        Optional<String> ofIndex = super.index().map(index -> index.value().equals("0") ? MASTER : WORKER);
        return first().isPresent() ? ofIndex : Optional.empty();
    }

    /** The services' names follow from the job's name. If this pod's own name does not fit, no hosts are told. */
    @Override
    List<Host> hosts() {
        int count = count();
        Optional<NumberedName> master = first();
        List<Host> hosts = new ArrayList<>();
        if (master.isPresent()) {
            NumberedName workers = new NumberedName(
                    master.get().before(MASTER).orElseThrow() + "-" + WORKER,
                    0,
                    master.get().domain());
            hosts.add(master.get().at(0));
            hosts.addAll(workers.first(Math.max(0, count - 1)));
        } else if (masterAddress().isEmpty() && worker().isPresent()) {
            hosts.addAll(worker().get().first(count));
        }
        return own.isEmpty() || Kubernetes.hasPodAt(evidence, hosts, index()) ? hosts : List.of();
    }

    /** Older operators give the master pod a loopback address, and the other pods the master's name. */
    @Override
    Optional<OptionValue> masterAddress() {
        Optional<OptionValue> told = super.masterAddress();
        boolean isOwn =
                told.filter(address -> LOOPBACK.contains(address.value())).isPresent();
        return isOwn && own.filter(name -> name.before(MASTER).isPresent()).isPresent()
                ? own.map(name -> new OptionValue(name.at(name.number()).name(), Kubernetes.HOST_NAME))
                : told;
    }

    /** The master, if there is one. */
    @Override
    Optional<NumberedName> first() {
        return NumberedName.first(masterAddress(), MASTER);
    }

    private Optional<NumberedName> worker() {
        return own.filter(name -> name.before(WORKER).isPresent());
    }
}
