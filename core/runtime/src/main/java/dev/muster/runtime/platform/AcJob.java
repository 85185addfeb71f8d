package dev.muster.runtime.platform;

import dev.muster.runtime.config.Option;
import dev.muster.runtime.config.OptionTable;
import dev.muster.runtime.config.Setting;
import dev.muster.runtime.config.Settings;
import dev.muster.runtime.errors.MusterException;
import dev.muster.runtime.text.Printable;
import dev.muster.spi.OptionValue;
import dev.muster.spi.PlatformContract;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * A container of an AscendJob of mind-cluster's ascend-operator. Its variables of PyTorch have meanings of their own: {@code RANK}
 * counts containers, {@code WORLD_SIZE} cards, and {@code LOCAL_RANK} is a list.
 */
final class AcJob implements Platform {

    static final String TASK = "MINDX_TASK_ID";

    private static final String NAME = "acjob";
    private static final String LOCAL_WORLD_SIZE = "LOCAL_WORLD_SIZE";
    private static final String LOCAL_RANK = "LOCAL_RANK";

    /** By which MindSpore's processes find each other without a rank table, and leave one alone that they are given. */
    static final List<String> OF_MINDSPORE = List.of(
            "MS_ROLE",
            "MS_SCHED_HOST",
            "MS_SCHED_PORT",
            "MS_WORKER_NUM",
            "MS_LOCAL_WORKER",
            "MS_NODE_RANK",
            "MS_NODE_ID",
            "MS_SERVER_NUM");

    static final KnownPlatform KNOWN = new KnownPlatform(
            NAME,
            "AscendJob (acjob) of mind-cluster",
            List.of(
                    "MINDX_*",
                    TorchMaster.ADDRESS,
                    TorchMaster.RANK,
                    TorchMaster.WORLD_SIZE,
                    LOCAL_WORLD_SIZE,
                    LOCAL_RANK,
                    "MS_*",
                    "CM_*",
                    "REPLICA_TYPE",
                    "HCCL_LOGIC_SUPERPOD_ID"),
            AcJob::new);

    private static final PlatformContract CONTRACT = PlatformContract.named(NAME)
            .localVariables(List.of(
                    TorchMaster.RANK,
                    LOCAL_RANK,
                    "POD_IP",
                    "ASCEND_VISIBLE_DEVICES",
                    "REPLICA_TYPE",
                    "MS_NODE_RANK",
                    "CM_RANK",
                    "CM_WORKER_IP",
                    "HCCL_LOGIC_SUPERPOD_ID"))
            .advice(new PlatformContract.Advice(List.of(TorchMaster.RANK), Optional.empty(), Optional.empty()))
            .build();

    private static final List<String> NEEDED =
            List.of(TorchMaster.ADDRESS, TorchMaster.PORT, TorchMaster.WORLD_SIZE, TorchMaster.RANK, LOCAL_WORLD_SIZE);

    private final Evidence evidence;

    private AcJob(Evidence evidence) {
        this.evidence = evidence;
    }

    @Override
    public PlatformContract contract() {
        return CONTRACT;
    }

    @Override
    public Optional<String> sign() {
        return evidence.value(TASK).map(task -> "set: " + TASK);
    }

    @Override
    public Optional<String> refusal() {
        if (evidence.engine().isEmpty() || evidence.isOfARank()) {
            return Optional.empty();
        }
        if (!evidence.engineHasOption(TorchMaster.ADDRESS_OPTION)) {
            return Optional.of(
                    "an acjob (" + TASK + ") tells its containers where they stand by the variables of a framework,"
                            + " and engine " + evidence.engine().orElseThrow().id()
                            + " follows none of them. Use --engine pytorch-gpu for PyTorch, or a Volcano job (vcjob); where the job has"
                            + " a rank table, --platform " + MindXDl.NAME + " boots by it");
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

    /** The job's uid, in which all its containers agree: their names are the job's only by habit. */
    @Override
    public Optional<OptionValue> jobId() {
        return evidence.value(TASK).map(id -> new OptionValue(Variables.safeName(TASK, id, "a job id"), TASK));
    }

    @Override
    public Optional<Setting> nodes() {
        if (!isOfPyTorch()) {
            return Optional.empty();
        }
        int cards = evidence.wholeNumber(TorchMaster.WORLD_SIZE, 1, OptionTable.MOST_NODES * OptionTable.MOST_CARDS);
        int own = ownCards();
        if (cards % own != 0 || cards / own > OptionTable.MOST_NODES) {
            throw MusterException.configuration(TorchMaster.WORLD_SIZE + "=" + cards + " (the job's cards) is not "
                    + LOCAL_WORLD_SIZE + "=" + own + " (each container's) times 1.." + OptionTable.MOST_NODES
                    + ". Correct them, or give --nodes N and --node-index I");
        }
        return Optional.of(Setting.ofPlatform(
                OptionTable.NODES, Integer.toString(cards / own), TorchMaster.WORLD_SIZE + " and " + LOCAL_WORLD_SIZE));
    }

    @Override
    public Optional<Setting> nodeIndex() {
        return isOfPyTorch()
                ? Optional.of(Setting.ofPlatform(
                        OptionTable.NODE_INDEX,
                        Integer.toString(evidence.wholeNumber(TorchMaster.RANK, 0, OptionTable.MOST_NODES - 1)),
                        TorchMaster.RANK))
                : Optional.empty();
    }

    @Override
    public Optional<Setting> cards() {
        return isOfPyTorch()
                ? Optional.of(Setting.ofPlatform(OptionTable.CARDS, Integer.toString(ownCards()), LOCAL_WORLD_SIZE))
                : Optional.empty();
    }

    @Override
    public Optional<Setting> engineOption(Option option, Settings settings, Consumer<String> warn) {
        return isOfPyTorch() ? TorchMaster.option(evidence, option) : Optional.empty();
    }

    @Override
    public Optional<Setting> grace(Setting usual, Commands commands) {
        return MindXDl.graceOf(evidence);
    }

    @Override
    public Optional<String> remark() {
        return Optional.of(MindXDl.RESCHEDULING);
    }

    @Override
    public Optional<Duration> staysFor() {
        return Optional.of(MindXDl.UNLIKE_A_COMMON_END);
    }

    /** A rank that starts a launcher has such variables from whoever started it, with the usual meanings. */
    private boolean isOfPyTorch() {
        return !evidence.isOfARank() && NEEDED.stream().allMatch(evidence::isSet);
    }

    /** Where the list of local ranks is told, it has as many. */
    private int ownCards() {
        int cards = evidence.wholeNumber(LOCAL_WORLD_SIZE, 1, OptionTable.MOST_CARDS);
        Optional<String> list = evidence.value(LOCAL_RANK);
        if (list.isPresent() && list.get().split(",", -1).length != cards) {
            throw MusterException.configuration(LOCAL_RANK + "=" + Printable.quote(list.get()) + " is no list of "
                    + LOCAL_WORLD_SIZE + "=" + cards + " ranks. Correct one of them, or give --cards N");
        }
        return cards;
    }
}
