package dev.muster.runtime.platform;

import dev.muster.runtime.config.OptionTable;
import dev.muster.runtime.errors.MusterException;
import dev.muster.spi.OptionValue;
import java.util.List;
import java.util.Optional;

/**
 * A container of an AscendJob of mind-cluster's ascend-operator. Its variables of PyTorch have meanings of their own: {@code RANK}
 * counts containers, {@code WORLD_SIZE} cards, and {@code LOCAL_RANK} is a list.
 */
final class AcJob extends PlatformReader {

    static final String TASK = "MINDX_TASK_ID";

    private static final String LOCAL_WORLD_SIZE = "LOCAL_WORLD_SIZE";

    private static final List<String> NEEDED =
            List.of(TorchJob.MASTER_ADDR, TorchJob.MASTER_PORT, TorchJob.WORLD_SIZE, TorchJob.RANK, LOCAL_WORLD_SIZE);

    AcJob(EvidenceReader evidence) {
        super(evidence);
    }

    @Override
    Optional<String> sign() {
        return evidence.value(TASK).map(task -> "set: " + TASK);
    }

    @Override
    void readAll() {
        // The job's uid is equal in all containers. Their names contain the job's name only by convention.
        option(OptionTable.JOB_ID, () -> evidence.safeName(TASK, "a job id"));
        option(OptionTable.GRACE, () -> MindXDl.grace(evidence));
        refusal(this::refusal);
        if (isOfPyTorch()) {
            option(OptionTable.NODES, this::nodes);
            option(OptionTable.NODE_INDEX, () -> evidence.index(TorchJob.RANK));
            option(OptionTable.CARDS, () -> evidence.number(LOCAL_WORLD_SIZE, 1, OptionTable.MOST_CARDS));
            TorchJob.addMasterOptions(this);
        }
    }

    /** Whether the variables have the operator's meanings. A launcher inside a rank has them with the usual meanings. */
    private boolean isOfPyTorch() {
        // A missing RANK is refused later, so that the launcher can tell the others.
        return !evidence.isOfARank()
                && NEEDED.stream().filter(name -> !name.equals(TorchJob.RANK)).allMatch(evidence::isSet);
    }

    private Optional<String> refusal() {
        if (evidence.source().engine().isEmpty() || evidence.isOfARank()) {
            return Optional.empty();
        }
        if (!evidence.engineHasOption(TorchJob.ADDRESS_OPTION)) {
            return Optional.of(
                    "an acjob (" + TASK + ") tells its containers where they stand by the variables of a framework,"
                            + " and " + evidence.engineName()
                            + " follows none of them. Use --engine pytorch-gpu for PyTorch, or a Volcano job (vcjob);"
                            + " where the job has a rank table, --platform " + MindXDl.NAME + " boots by it");
        }
        List<String> missing =
                NEEDED.stream().filter(name -> !evidence.isSet(name)).toList();
        return missing.isEmpty()
                ? Optional.empty()
                : Optional.of("this acjob (" + TASK + ") is none of PyTorch: " + String.join(", ", missing)
                        + (missing.size() == 1 ? " is" : " are")
                        + " not set. Name the framework in the job (label framework: pytorch), or give --nodes N,"
                        + " --node-index I and --master-addr A on every node");
    }

    private Optional<OptionValue> nodes() {
        int cards = evidence.wholeNumber(TorchJob.WORLD_SIZE, 1, OptionTable.MOST_NODES * OptionTable.MOST_CARDS);
        int own = evidence.wholeNumber(LOCAL_WORLD_SIZE, 1, OptionTable.MOST_CARDS);
        if (cards % own != 0) {
            throw MusterException.configuration(TorchJob.WORLD_SIZE + "=" + cards + " (the job's cards) is not "
                    + LOCAL_WORLD_SIZE + "=" + own
                    + " (each container's) times a number of containers. Correct them, or"
                    + " give --nodes N and --node-index I");
        }
        return Optional.of(EvidenceReader.sourced(cards / own, TorchJob.WORLD_SIZE + " and " + LOCAL_WORLD_SIZE));
    }
}
