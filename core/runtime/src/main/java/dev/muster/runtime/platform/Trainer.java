package dev.muster.runtime.platform;

import dev.muster.runtime.errors.MusterException;
import dev.muster.spi.Host;
import dev.muster.spi.OptionValue;
import dev.muster.spi.PlatformContract;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A pod of a TrainJob of Kubeflow Trainer v2 with the runtime for PyTorch. It is a pod of a JobSet, whose variables speak to
 * torchrun.
 */
final class Trainer {

    private static final String NAME = "trainer";
    private static final String NODE = "node";

    /** The name of a pod ends in that of the only Job for nodes, and its number there; older versions called it otherwise. */
    private static final List<String> JOBS = List.of("trainer-node-0", "node-0");

    private static final int PORT = 29_500;

    static final KnownPlatform KNOWN = new KnownPlatform(
            NAME, "Kubeflow Trainer v2 (TrainJob)", List.of("PET_*", IndexedJob.INDEX), Trainer::read);

    private static final PlatformContract CONTRACT = PlatformContract.named(NAME)
            .rendezvousPort(PORT)
            .variables(TorchVariables.ALL.toArray(String[]::new))
            .localVariables(List.of(TorchVariables.INDEX, IndexedJob.INDEX))
            .advice(new PlatformContract.Advice(List.of(TorchVariables.INDEX), Optional.empty(), Optional.empty()))
            .build();

    private final Evidence evidence;
    private final TorchVariables torch;
    private final Optional<NumberedName> own;

    private Trainer(Evidence evidence) {
        this.evidence = evidence;
        this.torch = new TorchVariables(evidence);
        this.own = Kubernetes.ofHostName(evidence).filter(name -> job(name).isPresent());
    }

    private static PlatformFacts read(Evidence evidence) {
        return MpiPods.areOfTrainer(evidence) ? MpiJob.ofTrainer(evidence) : new Trainer(evidence).facts();
    }

    private PlatformFacts facts() {
        return torch.add(PlatformFacts.on(evidence, CONTRACT, sign()))
                .refusal(this::refusal)
                .jobId(this::jobId)
                .index(this::index)
                .role(() -> Optional.of(NODE))
                .hosts(this::hosts)
                .startCounts(List.of(IndexedJob.RESTARTS))
                .build();
    }

    private Optional<String> sign() {
        List<String> seen = new ArrayList<>(torch.seen(TorchVariables.INDEX, TorchVariables.NODES));
        if (seen.isEmpty() || !evidence.isSet(IndexedJob.INDEX)) {
            return Optional.empty();
        }
        seen.add(IndexedJob.INDEX);
        return Optional.of("set: " + String.join(", ", seen));
    }

    private Optional<String> refusal() {
        if (torch.isElastic()) {
            return torch.refusalOfElastic("TrainJob");
        }
        return torch.nodes().isPresent()
                ? Optional.empty()
                : Optional.of("the variables of a TrainJob do not tell how many nodes the job has: "
                        + TorchVariables.NODES + " is not set. Give --nodes N, the same on all nodes");
    }

    /** Pods are called {@code JOB-node-0-I.JOB}. */
    private Optional<OptionValue> jobId() {
        Optional<NumberedName> first = first();
        return first.isPresent()
                ? first.flatMap(Trainer::job)
                        .map(job -> new OptionValue(
                                job, torch.masterAddress().orElseThrow().origin()))
                : Kubernetes.job(own.flatMap(Trainer::job));
    }

    private Optional<OptionValue> index() {
        Optional<OptionValue> ofTorch = torch.index();
        Optional<OptionValue> ofPod = evidence.index(IndexedJob.INDEX);
        if (ofTorch.isPresent()
                && ofPod.isPresent()
                && !ofTorch.get().value().equals(ofPod.get().value())) {
            throw MusterException.configuration(
                    ofTorch.get().origin() + "=" + ofTorch.get().value() + ", but "
                            + IndexedJob.INDEX + "=" + ofPod.get().value()
                            + ": a pod of a TrainJob has one number. Correct one of"
                            + " them, or give --node-index I");
        }
        return ofTorch.or(() -> ofPod);
    }

    /** The names of the others differ from that of node 0 in their number, unless this pod's own does not. */
    private List<Host> hosts() {
        int count = torch.count();
        List<Host> hosts = first().map(name -> name.first(count)).orElse(List.of());
        return own.isEmpty() || Kubernetes.isAmong(evidence, hosts, index()) ? hosts : List.of();
    }

    private Optional<NumberedName> first() {
        return torch.masterAddress()
                .flatMap(address -> NumberedName.of(address.value()))
                .filter(name -> name.number() == 0 && job(name).isPresent());
    }

    private static Optional<String> job(NumberedName pod) {
        return JOBS.stream().flatMap(job -> pod.before(job).stream()).findFirst();
    }
}
