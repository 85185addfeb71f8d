package dev.muster.runtime.platform;

import dev.muster.runtime.config.OptionTable;
import dev.muster.runtime.errors.MusterException;
import dev.muster.spi.OptionValue;
import dev.muster.spi.PlatformContract;
import java.util.List;
import java.util.Optional;

/**
 * A container of a Volcano job. Its plugins tell what they are there for: svc the hosts, env the index, and those for frameworks the
 * variables of PyTorch and TensorFlow.
 */
final class Volcano {

    private static final String NAME = "volcano";

    static final KnownPlatform KNOWN =
            new KnownPlatform(NAME, "Volcano jobs", List.of("VC_*", "VK_TASK_*", "MPI_HOST"), Volcano::read);

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

    private static PlatformFacts read(Evidence evidence) {
        return new Volcano(evidence).facts();
    }

    private PlatformFacts facts() {
        PlatformFacts.Builder facts = job.place(PlatformFacts.on(evidence, CONTRACT, job.sign()))
                .jobId(job::id)
                .role(job::role)
                .hostsByRole(job::hostsByRole)
                .link(() -> new LinkTerms(SshPlugin.key(evidence), false, Optional.empty()));
        boolean isOfPyTorch = OF_PYTORCH.stream().allMatch(evidence::isSet)
                && !evidence.isSet(TorchVariables.NODES)
                && !evidence.isOfARank();
        if (isOfPyTorch) {
            facts.nodes(() -> job.nodes().map(this::checkedBySize))
                    .index(() -> job.index().map(this::checkedByRank));
            TorchMaster.addOptions(evidence, facts);
        }
        return facts.build();
    }

    private OptionValue checkedBySize(OptionValue nodes) {
        int size = evidence.wholeNumber(TorchMaster.WORLD_SIZE, 1, OptionTable.MOST_NODES);
        String other = "the job has " + nodes.value() + " nodes (" + nodes.origin() + ")";
        return checked(nodes, TorchMaster.WORLD_SIZE, size, other);
    }

    private OptionValue checkedByRank(OptionValue index) {
        int rank = evidence.wholeNumber(TorchMaster.RANK, 0, OptionTable.MOST_NODES - 1);
        String other = "this is node " + index.value() + " (" + index.origin() + ")";
        return checked(index, TorchMaster.RANK, rank, other);
    }

    private static OptionValue checked(OptionValue told, String variable, int value, String other) {
        if (told.value().equals(Integer.toString(value))) {
            return told;
        }
        throw MusterException.configuration(variable + "=" + value + ", but " + other
                + ": Volcano's pytorch plugin counts containers. Correct " + variable
                + ", or give --nodes N and --node-index I");
    }
}
