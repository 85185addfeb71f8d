package dev.muster.runtime.report;

import dev.muster.runtime.files.NewestFile;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Which run on which node a verdict is about.
 *
 * @param platformReason how the platform was recognised, and which others there are signs of
 * @param planName what the plan calls this node's part of the job, if it does
 * @param nodeName what files call the node: its index, or the platform's name for it when the index is not known
 * @param platformRestarts how often the platform has started the job, as variables and values, for example
 *     {@code SLURM_RESTART_COUNT=2}
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

    /** What files call a node. */
    public static String nodeName(OptionalInt index, Optional<String> platformName) {
        return index.isPresent() ? Integer.toString(index.getAsInt()) : platformName.orElse("0");
    }

    /** Where the result lies: beside the logs, and beside those of earlier runs of the same job. */
    NewestFile resultFile() {
        return new NewestFile(logDirectory, stem(jobId, planName, nodeName) + RESULT, JSON);
    }

    /** The page beside it. */
    NewestFile reportFile() {
        return new NewestFile(logDirectory, stem(jobId, planName, nodeName) + "-report", ".html");
    }

    /** How a node's newest result is called. */
    public static String resultFileName(String jobId, Optional<String> planName, String nodeName) {
        return stem(jobId, planName, nodeName) + RESULT + JSON;
    }

    private static String stem(String jobId, Optional<String> planName, String nodeName) {
        return jobId + "-" + part(planName, nodeName);
    }

    /** What files call the part of a job that a launcher runs. */
    public static String part(Optional<String> planName, String nodeName) {
        return planName.orElse("node-" + nodeName);
    }
}
