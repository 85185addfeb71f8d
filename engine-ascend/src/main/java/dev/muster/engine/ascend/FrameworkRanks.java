package dev.muster.engine.ascend;

import dev.muster.spi.Input;
import dev.muster.spi.JobSpec;
import dev.muster.spi.Note;
import dev.muster.spi.OptionValue;
import dev.muster.spi.PlanException;
import dev.muster.spi.PlanRequest;
import dev.muster.spi.RequiredDirectory;
import dev.muster.spi.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The contract of MindX DL's {@code train_start.sh} and {@code main.sh}: the variables and arguments of a framework's training
 * scripts. This class does not copy their defects.
 */
final class FrameworkRanks extends Ranks {

    /** The same constant as in the scripts. */
    private static final String JOB_ID = "123456789";

    private static final String PYTHON_PATH = "PYTHONPATH";

    /** Variables of PyTorch's ranks that the user may override. */
    private static final Map<String, String> PYTORCH_DEFAULTS = Map.of(
            "ASCEND_GLOBAL_EVENT_ENABLE", "0",
            "ASCEND_GLOBAL_LOG_LEVEL", "3",
            "ASCEND_SLOG_PRINT_TO_STDOUT", "0",
            "HCCL_WHITELIST_DISABLE", "1",
            "TASK_QUEUE_ENABLE", "1");

    private final Framework framework;
    private final CannEnvironment cann;
    private final SortedMap<String, String> inherited;
    private final CpuBinding cpus;
    private final boolean bindsCpus;
    private final boolean isSingle;
    private final String firstAddress;

    /** @throws PlanException when the job does not fit the framework's numbering of servers and cards */
    FrameworkRanks(PlanRequest request, Framework framework, NodeAssignment assignment) throws PlanException {
        super(request.job(), assignment);
        this.framework = framework;
        this.cann = CannEnvironment.read(request);
        this.inherited = new TreeMap<>(job.environment());
        inherited.putAll(cann.changed());
        this.cpus = CpuBinding.of(request, cann.cpus(), assignment.ranks().size());
        this.bindsCpus = framework != Framework.MINDSPORE && assignment.ranks().size() > 1;
        // The scripts give no table to a job of one rank.
        this.isSingle = assignment.worldSize() == 1;
        this.firstAddress = framework == Framework.PYTORCH && !isSingle ? firstAddress() : "";
    }

    static List<Input> inputs(JobSpec job) {
        return List.of(CannEnvironment.input(job), CpuBinding.TASKSET);
    }

    @Override
    SortedMap<String, String> inherited() {
        return inherited;
    }

    @Override
    RequiredDirectory workDirectory(int rank, int place) {
        return framework == Framework.MINDSPORE
                ? RequiredDirectory.of(
                        job.places().workDirectory() + "/device" + rank, "working directory of rank " + rank)
                : super.workDirectory(rank, place);
    }

    @Override
    List<String> command(int place) {
        List<String> words = new ArrayList<>();
        if (bindsCpus && !cpus.words().isEmpty()) {
            words.addAll(cpus.words().get(place));
        }
        words.addAll(job.command());
        if (framework == Framework.PYTORCH && isSingle) {
            words.add("--gpu=0");
        } else if (framework == Framework.PYTORCH) {
            words.add("--gpu=" + assignment.cards().get(place));
            words.add("--addr=" + firstAddress);
            words.add("--world-size=" + assignment.place().count());
            words.add("--rank=" + assignment.place().index());
        }
        return words;
    }

    @Override
    void adapt(Map<String, Value> set, Set<String> remove, int rank, String workDirectory) {
        cann.changed().forEach((name, value) -> set.putIfAbsent(name, Value.of(value)));
        set.put("JOB_ID", Value.of(JOB_ID));
        setDefault(set, "PYTHONUNBUFFERED", "1");
        String others = inherited.getOrDefault(PYTHON_PATH, "");
        // In PYTHONPATH an empty part means the working directory of the rank.
        set.put(PYTHON_PATH, Value.of(others.isEmpty() ? job.directory() : job.directory() + ":" + others));
        if (isSingle) {
            set.put("DEVICE_NUM", Value.of(1));
            set.put("DEVICE_INDEX", Value.of(0));
        }
        switch (framework) {
            case TENSORFLOW -> set.put("DEVICE_INDEX", Value.of(rank));
            case MINDSPORE -> adaptForMindSpore(set, workDirectory);
            case PYTORCH -> adaptForPyTorch(set, remove);
        }
    }

    private void adaptForMindSpore(Map<String, Value> set, String workDirectory) {
        set.put("DEVICE_NUM", Value.of(assignment.worldSize()));
        set.put("SERVER_NUM", Value.of(assignment.place().count()));
        set.put("SERVER_ID", Value.of(assignment.place().index()));
        set.put("GROUP_INFO_FILE", Value.of(workDirectory + "/group_info.pb"));
    }

    /** Here RANK and WORLD_SIZE count servers, and RANK_SIZE counts the cards of a server. An argument tells a script its card. */
    private void adaptForPyTorch(Map<String, Value> set, Set<String> remove) {
        if (isSingle) {
            return;
        }
        set.put("RANK_SIZE", Value.of(assignment.ranks().size()));
        set.put("RANK", Value.of(assignment.place().index()));
        set.put("WORLD_SIZE", Value.of(assignment.place().count()));
        set.put("MASTER_ADDR", Value.of(firstAddress));
        assignment.place().ownAddress().ifPresent(address -> setDefault(set, "HCCL_IF_IP", address));
        PYTORCH_DEFAULTS.forEach((name, value) -> setDefault(set, name, value));
        remove.addAll(List.of("DEVICE_ID", "ASCEND_DEVICE_ID"));
    }

    private void setDefault(Map<String, Value> set, String name, String value) {
        if (!inherited.containsKey(name)) {
            set.put(name, Value.of(value));
        }
    }

    @Override
    List<Note> notes() {
        return bindsCpus && !cpus.flaw().isEmpty()
                ? List.of(cann.note(), Note.warning(cpus.flaw()))
                : List.of(cann.note());
    }

    private String firstAddress() throws PlanException {
        String origin =
                job.option(Framework.OPTION.name()).map(OptionValue::origin).orElse("");
        if (!assignment.place().isRegular()) {
            throw new PlanException(
                    PlanException.Kind.DATA,
                    "framework pytorch (" + origin + ") counts ranks as server x cards per server + card, but the rank"
                            + " table numbers the cards of this server " + Messages.ranges(assignment.ranks())
                            + ", or its servers have different numbers of cards. Correct the table, or give"
                            + " --framework none and let the script read RANK_ID");
        }
        return assignment
                .place()
                .firstAddress()
                .orElseThrow(() -> PlanException.configuration(
                        "framework pytorch (" + origin + ") needs the first server's address for MASTER_ADDR, and the"
                                + " rank table names no servers. Give --hosts A,B,..."));
    }
}
