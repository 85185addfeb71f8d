package dev.muster.runtime.supervise;

import dev.muster.runtime.files.RandomText;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * Identifies the run of a launcher: its job, its part, and an id.
 *
 * @param job the job's id
 * @param part of the job on this node, as in file names: {@code node-0}, or a role such as {@code ps-0}
 * @param run distinguishes this run from others of the same part; it is part of file names
 * @param launcher describes this launcher for users: pid, host and time
 */
public record RunIdentity(String job, String part, String run, String launcher) {

    private static final int BYTES = 3;

    /**
     * A run with a new random id. The id is no secret; two launchers of one job must not draw the same one.
     *
     * @param pid of the launcher
     * @param host where it runs
     */
    public static RunIdentity draw(String job, String part, long pid, String host, Instant startedAt) {
        String launcher = "pid " + pid + " on " + host + ", since " + startedAt.truncatedTo(ChronoUnit.SECONDS);
        return new RunIdentity(job, part, RandomText.hexadecimal(BYTES), launcher);
    }

    /** The common prefix of all file names of this part of the job. */
    String stem() {
        return job + "-" + part;
    }

    String describe() {
        return "run " + run + " (" + launcher + ")";
    }
}
