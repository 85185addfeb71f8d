package dev.muster.runtime.platform;

import dev.muster.runtime.config.Option;
import dev.muster.runtime.config.OptionTable;
import dev.muster.runtime.config.Setting;
import dev.muster.runtime.config.Settings;
import dev.muster.runtime.errors.MusterException;
import dev.muster.spi.Host;
import dev.muster.spi.OptionValue;
import dev.muster.spi.PlatformContract;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * A container of a Volcano job. Its plugins tell what they are there for: svc the hosts, env the index, and those for frameworks the
 * variables of PyTorch and TensorFlow.
 */
final class Volcano implements Platform {

    private static final String NAME = "volcano";

    static final KnownPlatform KNOWN =
            new KnownPlatform(NAME, "Volcano jobs", List.of("VC_*", "VK_TASK_*", "MPI_HOST"), Volcano::new);

    /** All of them are the pytorch plugin's; torchrun's and Kubeflow's come with others. */
    private static final List<String> OF_PYTORCH =
            List.of(TorchMaster.ADDRESS, TorchMaster.PORT, TorchMaster.RANK, TorchMaster.WORLD_SIZE);

    private static final PlatformContract CONTRACT = PlatformContract.named(NAME)
            .variables("TF_CONFIG")
            .localVariables(VolcanoTasks.INDICES)
            .advice(new PlatformContract.Advice(VolcanoTasks.INDICES, Optional.empty(), Optional.empty()))
            .build();

    private final Evidence evidence;
    private final VolcanoJob job;

    private Volcano(Evidence evidence) {
        this.evidence = evidence;
        this.job = new VolcanoJob(evidence);
    }

    @Override
    public PlatformContract contract() {
        return CONTRACT;
    }

    @Override
    public Optional<String> sign() {
        return job.sign();
    }

    @Override
    public Optional<String> refusal() {
        return job.refusal();
    }

    @Override
    public Optional<OptionValue> jobId() {
        return job.id();
    }

    @Override
    public Optional<Setting> nodes() {
        Optional<Setting> nodes = job.nodes();
        if (nodes.isPresent() && isOfPyTorch()) {
            String size = number(TorchMaster.WORLD_SIZE, 1, OptionTable.MOST_NODES);
            refuseUnless(
                    size.equals(nodes.get().value()),
                    TorchMaster.WORLD_SIZE,
                    size,
                    "the job has " + nodes.get().value() + " nodes ("
                            + nodes.get().origin() + ")");
        }
        return nodes;
    }

    @Override
    public Optional<Setting> nodeIndex() {
        Optional<Setting> index = job.nodeIndex();
        if (index.isPresent() && isOfPyTorch()) {
            String rank = number(TorchMaster.RANK, 0, OptionTable.MOST_NODES - 1);
            refuseUnless(
                    rank.equals(index.get().value()),
                    TorchMaster.RANK,
                    rank,
                    "this is node " + index.get().value() + " (" + index.get().origin() + ")");
        }
        return index;
    }

    @Override
    public Optional<String> role() {
        return job.role();
    }

    @Override
    public List<Host> hosts() {
        return job.hosts();
    }

    @Override
    public Map<String, List<Host>> hostsByRole() {
        return job.hostsByRole();
    }

    @Override
    public Optional<LinkTerms.SharedKey> linkKey() {
        return SshPlugin.key(evidence);
    }

    @Override
    public Optional<Setting> engineOption(Option option, Settings settings, Consumer<String> warn) {
        return isOfPyTorch() ? TorchMaster.option(evidence, option) : Optional.empty();
    }

    private boolean isOfPyTorch() {
        return OF_PYTORCH.stream().allMatch(evidence::isSet)
                && !evidence.isSet(TorchVariables.NODES)
                && !evidence.isOfARank();
    }

    private String number(String variable, int minimum, int maximum) {
        return Variables.number(evidence.environment(), variable, minimum, maximum);
    }

    private static void refuseUnless(boolean isTrue, String variable, String value, String other) {
        if (!isTrue) {
            throw MusterException.configuration(variable + "=" + value + ", but " + other
                    + ": Volcano's pytorch plugin counts containers. Correct " + variable
                    + ", or give --nodes N and --node-index I");
        }
    }
}
