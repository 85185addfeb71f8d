package dev.muster.engine.ascend;

import dev.muster.spi.EnvironmentChange;
import dev.muster.spi.JobSpec;
import dev.muster.spi.Launch;
import dev.muster.spi.LaunchPlan;
import dev.muster.spi.Note;
import dev.muster.spi.Outcome;
import dev.muster.spi.ProcessSpec;
import dev.muster.spi.RankInfo;
import dev.muster.spi.RequiredDirectory;
import dev.muster.spi.Value;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The processes of this node: the training command once per rank, by the contract of ModelArts' boot program. It starts the command
 * unchanged, in the n-th working directory of the node. A subclass overrides parts for the contract of a framework's scripts.
 */
class Ranks {

    /** The variable that tells a rank the path of its table. */
    static final String TABLE_VARIABLE = "RANK_TABLE_FILE";

    /** The variable with the path of MindSpore 0.3's lab table. */
    static final String MINDSPORE_TABLE_VARIABLE = "MINDSPORE_HCCL_CONFIG_PATH";

    static final String CONNECT_TIMEOUT_VARIABLE = "HCCL_CONNECT_TIMEOUT";
    private static final String PROCESS_LOG_VARIABLE = "ASCEND_PROCESS_LOG_PATH";
    private static final String CONNECT_TIMEOUT_SECONDS = "1800";

    final JobSpec job;
    final NodeAssignment assignment;
    private final Map<String, RequiredDirectory> directories = new LinkedHashMap<>();
    private final List<ProcessSpec> tasks = new ArrayList<>();

    Ranks(JobSpec job, NodeAssignment assignment) {
        this.job = job;
        this.assignment = assignment;
    }

    LaunchPlan.Builder plan() {
        for (int place = 0; place < assignment.ranks().size(); place++) {
            add(assignment.ranks().get(place), place, assignment.cards().get(place));
        }
        return LaunchPlan.builder(Outcome.ALL_TASKS)
                .directories(directories.values())
                .files(assignment.table().stream().toList())
                .processes(tasks)
                .notes(assignment.notes())
                .notes(notes());
    }

    /**
     * @param place the number of the rank on this node
     * @param card counts from 0 among the cards that the rank sees; it is not the physical id
     */
    private void add(int rank, int place, int card) {
        RequiredDirectory workDirectory = workDirectory(rank, place);
        make(workDirectory);
        EnvironmentChange environment = environment(rank, card, workDirectory.path());
        String id = "rank-" + rank;
        String logFile = job.id() + "-proc-rank-" + rank + "-device-" + place + ".txt";
        Launch launch = new Launch(Launch.literally(command(place)), environment, workDirectory.path(), logFile);
        tasks.add(ProcessSpec.task(id, launch).withPlacement(new RankInfo(rank, place, assignment.worldSize())));
    }

    private EnvironmentChange environment(int rank, int card, String workDirectory) {
        Map<String, Value> set = new TreeMap<>(assignment.environment().set());
        set.put("JOB_ID", Value.of(job.id()));
        set.put("RANK_ID", Value.of(rank));
        set.put("RANK_SIZE", Value.of(assignment.worldSize()));
        set.put("DEVICE_ID", Value.of(card));
        set.put("ASCEND_DEVICE_ID", Value.of(card));
        if (!inherited().containsKey(CONNECT_TIMEOUT_VARIABLE)) {
            set.put(CONNECT_TIMEOUT_VARIABLE, Value.of(CONNECT_TIMEOUT_SECONDS));
        }
        addProcessLogs(set, rank, workDirectory);
        Set<String> remove = new TreeSet<>(assignment.environment().remove());
        adapt(set, remove, rank, workDirectory);
        set.keySet().removeAll(remove);
        return EnvironmentChange.of(set, remove);
    }

    /** The user may set the directory of CANN's logs. An empty text means that the directory is not needed. */
    private void addProcessLogs(Map<String, Value> set, int rank, String workDirectory) {
        String logs = inherited().get(PROCESS_LOG_VARIABLE);
        if (logs == null) {
            logs = job.places().logDirectory() + "/" + job.id() + "/ascend/process_log/rank_" + rank;
            set.put(PROCESS_LOG_VARIABLE, Value.of(logs));
        }
        if (!logs.isEmpty()) {
            String path = logs.startsWith("/") ? logs : workDirectory + "/" + logs;
            make(RequiredDirectory.of(path, "CANN logs of rank " + rank).orWarn());
        }
    }

    private void make(RequiredDirectory directory) {
        directories.putIfAbsent(directory.path(), directory);
    }

    /** The environment of ranks without the variables of the job. */
    SortedMap<String, String> inherited() {
        return job.environment();
    }

    /** The working directory of a rank. */
    RequiredDirectory workDirectory(int rank, int place) {
        return RequiredDirectory.of(
                job.places().workDirectoryOf("device" + place), "working directory of rank " + rank);
    }

    /** The command of a rank. */
    List<String> command(int place) {
        return job.command();
    }

    /** Changes the variables that a rank gets and loses. */
    void adapt(Map<String, Value> set, Set<String> remove, int rank, String workDirectory) {}

    /** Notes for the user in addition to those of the {@link NodeAssignment}. */
    List<Note> notes() {
        return List.of();
    }
}
