package dev.muster.runtime.report;

import dev.muster.runtime.files.NewestFile;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Which run on which node a verdict is about.
 *
 * @param platformReason how the platform was recognised, and signs of other platforms
 * @param planName the plan's name for this node's part of the job, if it has one
 * @param nodeName the node in file names: its index, or the platform's name if the index is unknown
 * @param platformRestarts the platform's variables that count its restarts, for example {@code SLURM_RESTART_COUNT=2}
 * @param startedAt when the launcher started, by the wall clock
 */
public record NodeRun(
        String jobId,
        String engine,
        String platform,
        String platformReason,
        Optional<String> planName,
        String nodeName,
        OptionalInt nodeIndex,
        OptionalInt nodeCount,
        Path logDirectory,
        Optional<String> platformRestarts,
        Instant startedAt) {

    private static final String JSON = ".json";
    private static final String RESULT = "-result";

    /** The node in file names. */
    public static String nodeName(OptionalInt index, Optional<String> platformName) {
        return index.isPresent() ? Integer.toString(index.getAsInt()) : platformName.orElse("0");
    }

    /** The result file. It lies beside the logs and the results of earlier runs of the job. */
    NewestFile resultFile() {
        return new NewestFile(logDirectory, stem(jobId, planName, nodeName) + RESULT, JSON);
    }

    /** The report page beside the result file. */
    NewestFile reportFile() {
        return new NewestFile(logDirectory, stem(jobId, planName, nodeName) + "-report", ".html");
    }

    /** The name of a node's newest result file. */
    public static String resultFileName(String jobId, Optional<String> planName, String nodeName) {
        return stem(jobId, planName, nodeName) + RESULT + JSON;
    }

    private static String stem(String jobId, Optional<String> planName, String nodeName) {
        return jobId + "-" + part(planName, nodeName);
    }

    /** The part of a job that a launcher runs, in file names. */
    public static String part(Optional<String> planName, String nodeName) {
        return planName.orElse("node-" + nodeName);
    }
}
