package dev.muster.runtime.supervise;

import dev.muster.runtime.text.Secrets;
import dev.muster.spi.ProcessSpec;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * How a plan is to be carried out.
 *
 * @param run the run's name, for the line between two runs in a log file
 * @param startedAt when the launcher started
 * @param grace between TERM and KILL
 * @param inputTimeout how long to wait for what must be there first
 * @param logDirectory where logs go; when it cannot be made, output goes to the console only
 * @param prefix what stands before a process's lines on the console
 * @param environment what processes inherit
 * @param secrets what no file and no other launcher may be shown
 * @param others the other launchers of the job
 * @param patience how long other tasks may end by themselves when one has failed; zero: they are stopped at once
 */
public record RunSettings(
        String run,
        Instant startedAt,
        Duration grace,
        Duration inputTimeout,
        Path logDirectory,
        Function<ProcessSpec, String> prefix,
        Map<String, String> environment,
        Secrets secrets,
        Others others,
        Duration patience) {

    /** A text that others may read. */
    String masked(String text) {
        return secrets.hide(text, environment);
    }

    /** A run of a launcher that is alone and whose user has named no secrets of his own. */
    public RunSettings(
            String run,
            Instant startedAt,
            Duration grace,
            Duration inputTimeout,
            Path logDirectory,
            Function<ProcessSpec, String> prefix,
            Map<String, String> environment) {
        this(
                run,
                startedAt,
                grace,
                inputTimeout,
                logDirectory,
                prefix,
                environment,
                new Secrets(List.of()),
                Others.NONE,
                Duration.ZERO);
    }

    /** The same run, in which tasks have a while to end by themselves when one of them has failed. */
    public RunSettings withPatience(Duration length) {
        return new RunSettings(
                run, startedAt, grace, inputTimeout, logDirectory, prefix, environment, secrets, others, length);
    }
}
