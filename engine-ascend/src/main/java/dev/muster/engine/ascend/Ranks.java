package dev.muster.engine.ascend;

import dev.muster.spi.Condition;
import dev.muster.spi.DirectoryToMake;
import dev.muster.spi.EnvironmentChange;
import dev.muster.spi.JobSpec;
import dev.muster.spi.Launch;
import dev.muster.spi.LaunchPlan;
import dev.muster.spi.Outcome;
import dev.muster.spi.Placement;
import dev.muster.spi.ProcessSpec;
import dev.muster.spi.StopMethod;
import dev.muster.spi.Value;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The processes of this node: the training command once per rank. */
final class Ranks {

    /** For a rank, the file that is its table. */
    static final String TABLE_VARIABLE = "RANK_TABLE_FILE";

    /** Where MindSpore 0.3 looks for its table of the lab family. */
    static final String MINDSPORE_TABLE_VARIABLE = "MINDSPORE_HCCL_CONFIG_PATH";

    static final String PROCESS_LOG_VARIABLE = "ASCEND_PROCESS_LOG_PATH";
    static final String CONNECT_TIMEOUT_VARIABLE = "HCCL_CONNECT_TIMEOUT";
    private static final String CONNECT_TIMEOUT_SECONDS = "1800";

    private final JobSpec job;
    private final Share share;
    private final List<Value> command;
    private final Map<String, DirectoryToMake> directories = new LinkedHashMap<>();
    private final List<ProcessSpec> tasks = new ArrayList<>();

    private Ranks(JobSpec job, Share share) {
        this.job = job;
        this.share = share;
        this.command = Launch.literally(job.command());
    }

    static LaunchPlan plan(JobSpec job, Share share) {
        return new Ranks(job, share).plan();
    }

    private LaunchPlan plan() {
        for (int card = 0; card < share.ranks().size(); card++) {
            add(share.ranks().get(card), card);
        }
        return new LaunchPlan(
                List.copyOf(directories.values()),
                share.table().isPresent() ? List.of(share.table().get()) : List.of(),
                tasks,
                Outcome.ALL_TASKS,
                share.notes());
    }

    /**
     * @param card counts from 0 on this node: a container numbers its cards anew, whatever their physical ids
     */
    private void add(int rank, int card) {
        String workDirectory = job.places().workDirectoryOf("device" + card);
        make(workDirectory, "working directory of rank " + rank, true);
        EnvironmentChange environment = environment(rank, card, workDirectory);
        String logFile = job.id() + "-proc-rank-" + rank + "-device-" + card + ".txt";
        tasks.add(new ProcessSpec.Task(
                "rank-" + rank,
                new Launch(command, environment, workDirectory, logFile),
                Optional.of(new Placement(rank, card, share.worldSize())),
                Condition.IMMEDIATELY,
                StopMethod.DEFAULT));
    }

    private EnvironmentChange environment(int rank, int card, String workDirectory) {
        Map<String, Value> set = new TreeMap<>(share.environment().set());
        set.put("JOB_ID", Value.of(job.id()));
        set.put("RANK_ID", Value.of(rank));
        set.put("RANK_SIZE", Value.of(share.worldSize()));
        set.put("DEVICE_ID", Value.of(card));
        set.put("ASCEND_DEVICE_ID", Value.of(card));
        if (!job.environment().containsKey(CONNECT_TIMEOUT_VARIABLE)) {
            set.put(CONNECT_TIMEOUT_VARIABLE, Value.of(CONNECT_TIMEOUT_SECONDS));
        }
        String processLogs = job.environment().get(PROCESS_LOG_VARIABLE);
        if (processLogs == null) {
            processLogs = job.places().logDirectory() + "/" + job.id() + "/ascend/process_log/rank_" + rank;
            set.put(PROCESS_LOG_VARIABLE, Value.of(processLogs));
        }
        if (!processLogs.isEmpty()) {
            boolean absolute = processLogs.startsWith("/");
            make(absolute ? processLogs : workDirectory + "/" + processLogs, "CANN logs of rank " + rank, false);
        }
        return EnvironmentChange.of(set, share.environment().remove());
    }

    private void make(String path, String purpose, boolean required) {
        directories.putIfAbsent(path, new DirectoryToMake(path, purpose, required));
    }
}
