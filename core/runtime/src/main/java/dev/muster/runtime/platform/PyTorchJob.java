package dev.muster.runtime.platform;

import dev.muster.runtime.text.Printable;
import dev.muster.spi.Host;
import dev.muster.spi.OptionValue;
import dev.muster.spi.PlatformContract;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A pod of a PyTorchJob of Kubeflow's training operator. Its master is node 0 and worker i is node i+1; without a master worker i
 * is node i. Pods have no domain, but a service each, {@code JOB-ROLE-I}.
 */
final class PyTorchJob {

    private static final String NAME = "pytorchjob";
    private static final String MASTER = "master";
    private static final String WORKER = "worker";

    /** What the operator opens in every pod unless the job says otherwise. */
    private static final int PORT = 23_456;

    static final KnownPlatform KNOWN = new KnownPlatform(
            NAME,
            "Kubeflow PyTorchJob (training-operator)",
            List.of("PET_*", TorchVariables.MASTER_ADDR, TorchVariables.RANK, TorchVariables.WORLD_SIZE),
            evidence -> new PyTorchJob(evidence).facts());

    private static final PlatformContract CONTRACT = PlatformContract.named(NAME)
            .rendezvousPort(PORT)
            .variables(TorchVariables.ALL.toArray(String[]::new))
            .localVariables(List.of(TorchVariables.INDEX, TorchVariables.RANK))
            .advice(new PlatformContract.Advice(List.of(TorchVariables.INDEX), Optional.empty(), Optional.empty()))
            .build();

    private final Evidence evidence;
    private final TorchVariables torch;
    private final Optional<NumberedName> own;

    private PyTorchJob(Evidence evidence) {
        this.evidence = evidence;
        this.torch = new TorchVariables(evidence);
        this.own = Kubernetes.ofHostName(evidence)
                .filter(name ->
                        name.before(MASTER).or(() -> name.before(WORKER)).isPresent());
    }

    private PlatformFacts facts() {
        return torch.add(PlatformFacts.on(evidence, CONTRACT, sign()))
                .refusal(this::refusal)
                .jobId(this::jobId)
                .index(this::index)
                .role(this::role)
                .hosts(this::hosts)
                .build();
    }

    /** Volcano's plugin tells the same by fewer variables, and Trainer v2 by one more. */
    private Optional<String> sign() {
        if (evidence.isSet(IndexedJob.INDEX)) {
            return Optional.empty();
        }
        boolean isOfOthers = Kubernetes.hasVolcanoTasks(evidence) || !Kubernetes.isAround(evidence);
        List<String> seen = new ArrayList<>(torch.seen(TorchVariables.INDEX));
        if (!isOfOthers || !seen.isEmpty()) {
            seen.addAll(torch.seen(TorchVariables.NODES, TorchVariables.RENDEZVOUS));
        }
        List<String> ofEnv = torch.seen(TorchVariables.MASTER_ADDR, TorchVariables.RANK, TorchVariables.WORLD_SIZE);
        if (seen.isEmpty() && ofEnv.size() == 3 && !isOfOthers && !evidence.isOfARank()) {
            seen.addAll(ofEnv);
        }
        return seen.isEmpty() ? Optional.empty() : Optional.of("set: " + String.join(", ", seen));
    }

    private Optional<String> refusal() {
        if (torch.isElastic()) {
            return torch.refusalOfElastic("PyTorchJob");
        }
        Optional<OptionValue> nodes = torch.nodes();
        if (nodes.isEmpty()) {
            return Optional.of("the variables of a PyTorchJob do not tell how many nodes the job has: neither "
                    + TorchVariables.NODES + " nor " + TorchVariables.WORLD_SIZE + " (with " + TorchVariables.RANK
                    + ") is set. Give --nodes N, the same on all nodes");
        }
        boolean isPlaced = nodes.get().value().equals("1") || index().isPresent();
        return isPlaced
                ? Optional.empty()
                : Optional.of(nodes.get().origin() + "=" + nodes.get().value()
                        + ", but nothing tells which node this is: " + TorchVariables.INDEX
                        + " is not set, and the host name "
                        + Printable.quote(evidence.machine().hostName())
                        + " is not JOB-worker-I. Give the PyTorchJob a Master, or --nodes "
                        + nodes.get().value()
                        + " --node-index I --hosts A,B,...");
    }

    private Optional<OptionValue> jobId() {
        Optional<NumberedName> master = master();
        if (master.isPresent()) {
            return Optional.of(new OptionValue(
                    master.get().before(MASTER).orElseThrow(),
                    torch.masterAddress().orElseThrow().origin()));
        }
        return Kubernetes.job(own.flatMap(name -> name.before(MASTER).or(() -> name.before(WORKER))));
    }

    private Optional<OptionValue> index() {
        boolean isWithoutMaster =
                evidence.isSet(TorchVariables.NODES) && torch.masterAddress().isEmpty();
        return torch.index()
                .or(() -> worker().filter(name -> isWithoutMaster)
                        .map(name -> new OptionValue(Integer.toString(name.number()), Kubernetes.HOST_NAME)));
    }

    private Optional<String> role() {
        if (own.isPresent()) {
            return Optional.of(own.get().before(MASTER).isPresent() ? MASTER : WORKER);
        }
        Optional<String> ofIndex = torch.index().map(index -> index.value().equals("0") ? MASTER : WORKER);
        return master().isPresent() ? ofIndex : Optional.empty();
    }

    /** The services' names follow from the job's; where this pod's own name is another, they are not sure. */
    private List<Host> hosts() {
        int count = torch.count();
        Optional<NumberedName> master = master();
        List<Host> hosts = new ArrayList<>();
        if (master.isPresent()) {
            NumberedName workers = new NumberedName(
                    master.get().before(MASTER).orElseThrow() + "-" + WORKER,
                    0,
                    master.get().domain());
            hosts.add(master.get().at(0));
            hosts.addAll(workers.first(Math.max(0, count - 1)));
        } else if (torch.masterAddress().isEmpty() && worker().isPresent()) {
            hosts.addAll(worker().get().first(count));
        }
        return own.isEmpty() || Kubernetes.isAmong(evidence, hosts, index()) ? hosts : List.of();
    }

    /** Where the pods meet, if that is a pod called master 0 of a job. */
    private Optional<NumberedName> master() {
        return torch.masterAddress()
                .flatMap(address -> NumberedName.of(address.value()))
                .filter(name -> name.number() == 0 && name.before(MASTER).isPresent());
    }

    private Optional<NumberedName> worker() {
        return own.filter(name -> name.before(WORKER).isPresent());
    }
}
