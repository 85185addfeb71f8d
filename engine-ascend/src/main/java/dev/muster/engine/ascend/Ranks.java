package dev.muster.engine.ascend;

import dev.muster.spi.EnvironmentChange;
import dev.muster.spi.GeneratedFile;
import dev.muster.spi.JobSpec;
import dev.muster.spi.Launch;
import dev.muster.spi.LaunchPlan;
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
import java.util.TreeMap;
import java.util.TreeSet;

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
    private final NodeAssignment share;
    private final RankContract contract;
    private final Map<String, RequiredDirectory> directories = new LinkedHashMap<>();
    private final List<GeneratedFile> files = new ArrayList<>();
    private final List<ProcessSpec> tasks = new ArrayList<>();

    private Ranks(JobSpec job, NodeAssignment share, RankContract contract) {
        this.job = job;
        this.share = share;
        this.contract = contract;
    }

    static LaunchPlan plan(JobSpec job, NodeAssignment share, RankContract contract) {
        return new Ranks(job, share, contract).plan();
    }

    private LaunchPlan plan() {
        share.table().ifPresent(files::add);
        contract.directories().forEach(this::make);
        for (int card = 0; card < share.ranks().size(); card++) {
            add(share.ranks().get(card), card);
        }
        return LaunchPlan.builder(Outcome.ALL_TASKS)
                .directories(directories.values())
                .files(files)
                .processes(tasks)
                .notes(share.notes())
                .notes(contract.notes())
                .build();
    }

    /**
     * @param card counts from 0 on this node: a container numbers its cards anew, whatever their physical ids
     */
    private void add(int rank, int card) {
        RequiredDirectory workDirectory = contract.workDirectory(rank, card);
        make(workDirectory);
        EnvironmentChange environment = environment(rank, card, workDirectory.path());
        String id = "rank-" + rank;
        String logFile = job.id() + "-proc-rank-" + rank + "-device-" + card + ".txt";
        files.addAll(contract.files(id, workDirectory.path()));
        Launch launch = new Launch(contract.command(rank, card), environment, workDirectory.path(), logFile);
        tasks.add(ProcessSpec.task(id, launch).withPlacement(new RankInfo(rank, card, share.worldSize())));
    }

    private EnvironmentChange environment(int rank, int card, String workDirectory) {
        Map<String, Value> set = new TreeMap<>(contract.beforehand().set());
        set.putAll(share.environment().set());
        set.put("JOB_ID", Value.of(job.id()));
        set.put("RANK_ID", Value.of(rank));
        set.put("RANK_SIZE", Value.of(share.worldSize()));
        set.put("DEVICE_ID", Value.of(card));
        set.put("ASCEND_DEVICE_ID", Value.of(card));
        if (!contract.inherited().containsKey(CONNECT_TIMEOUT_VARIABLE)) {
            set.put(CONNECT_TIMEOUT_VARIABLE, Value.of(CONNECT_TIMEOUT_SECONDS));
        }
        String processLogs = contract.inherited().get(PROCESS_LOG_VARIABLE);
        if (processLogs == null) {
            processLogs = job.places().logDirectory() + "/" + job.id() + "/ascend/process_log/rank_" + rank;
            set.put(PROCESS_LOG_VARIABLE, Value.of(processLogs));
        }
        if (!processLogs.isEmpty()) {
            boolean absolute = processLogs.startsWith("/");
            String path = absolute ? processLogs : workDirectory + "/" + processLogs;
            make(RequiredDirectory.of(path, "CANN logs of rank " + rank).orWarn());
        }
        return merged(set, contract.environment(rank, workDirectory));
    }

    /** The contract has the last word, but for what the share of this node removes: a table that it does not have. */
    private EnvironmentChange merged(Map<String, Value> set, EnvironmentChange change) {
        set.putAll(change.set());
        set.keySet().removeAll(change.remove());
        set.keySet().removeAll(share.environment().remove());
        Set<String> remove = new TreeSet<>(contract.beforehand().remove());
        remove.removeAll(set.keySet());
        remove.addAll(change.remove());
        remove.addAll(share.environment().remove());
        return EnvironmentChange.of(set, remove);
    }

    private void make(RequiredDirectory directory) {
        directories.putIfAbsent(directory.path(), directory);
    }
}
