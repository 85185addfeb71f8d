package dev.muster.runtime.platform;

import dev.muster.runtime.config.Option;
import dev.muster.runtime.config.Setting;
import dev.muster.runtime.config.Settings;
import dev.muster.runtime.errors.MusterException;
import dev.muster.spi.Host;
import dev.muster.spi.OptionValue;
import dev.muster.spi.PlatformContract;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * A pod of a TrainJob of Kubeflow Trainer v2 with the runtime for PyTorch. It is a pod of a JobSet, whose variables speak to
 * torchrun.
 */
final class Trainer implements Platform {

    private static final String NAME = "trainer";
    private static final String NODE = "node";

    /** The name of a pod ends in that of the only Job for nodes, and its number there; older versions called it otherwise. */
    private static final List<String> JOBS = List.of("trainer-node-0", "node-0");

    private static final int PORT = 29_500;

    static final KnownPlatform KNOWN =
            new KnownPlatform(NAME, "Kubeflow Trainer v2 (TrainJob)", List.of("PET_*", IndexedJob.INDEX), Trainer::of);

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
        this.own = NumberedName.of(NumberedName.label(evidence.machine().hostName()));
    }

    private static Platform of(Evidence evidence) {
        return MpiPods.areOfTrainer(evidence) ? MpiJob.ofTrainer(evidence) : new Trainer(evidence);
    }

    @Override
    public PlatformContract contract() {
        return CONTRACT;
    }

    @Override
    public Optional<String> sign() {
        List<String> seen = new ArrayList<>(torch.seen(TorchVariables.INDEX, TorchVariables.NODES));
        if (seen.isEmpty() || !evidence.isSet(IndexedJob.INDEX)) {
            return Optional.empty();
        }
        seen.add(IndexedJob.INDEX);
        return Optional.of("set: " + String.join(", ", seen));
    }

    @Override
    public Optional<String> refusal() {
        if (torch.isElastic()) {
            torch.checkElastic();
            return TorchOptions.refusalOfElastic(evidence, "TrainJob");
        }
        return torch.nodes().isPresent()
                ? Optional.empty()
                : Optional.of("the variables of a TrainJob do not tell how many nodes the job has: "
                        + TorchVariables.NODES + " is not set. Give --nodes N, the same on all nodes");
    }

    @Override
    public List<String> startCounts() {
        return List.of(IndexedJob.RESTARTS);
    }

    /** Pods are called {@code JOB-node-0-I.JOB}. */
    @Override
    public Optional<OptionValue> jobId() {
        Optional<NumberedName> first = first();
        if (first.isPresent()) {
            return job(first.get())
                    .map(job -> new OptionValue(
                            job, torch.masterAddress().orElseThrow().origin()));
        }
        return own.flatMap(Trainer::job).map(job -> new OptionValue(job, Kubernetes.HOST_NAME));
    }

    @Override
    public Optional<Setting> nodes() {
        return torch.nodes();
    }

    @Override
    public Optional<Setting> nodeIndex() {
        Optional<Setting> ofTorch = torch.index();
        Optional<Setting> ofPod = IndexedJob.index(evidence);
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

    @Override
    public Optional<Setting> cards() {
        return torch.cards();
    }

    @Override
    public Optional<String> role() {
        return Optional.of(NODE);
    }

    @Override
    public List<Host> hosts() {
        return hosts(nodes().map(nodes -> Integer.parseInt(nodes.value())).orElse(0));
    }

    /** The names of the others differ from that of node 0 in their number, unless this pod's own does not. */
    @Override
    public List<Host> hosts(int count) {
        List<Host> hosts = first().map(name -> name.first(count)).orElse(List.of());
        Optional<Setting> index = nodeIndex();
        if (own.flatMap(Trainer::job).isEmpty() || index.isEmpty()) {
            return hosts;
        }
        int position = Integer.parseInt(index.get().value());
        boolean isAmong = position < hosts.size()
                && NumberedName.label(hosts.get(position).name())
                        .equals(NumberedName.label(evidence.machine().hostName()));
        return isAmong ? hosts : List.of();
    }

    @Override
    public Optional<Setting> engineOption(Option option, Settings settings, Consumer<String> warn) {
        return TorchOptions.of(option, evidence, torch);
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
