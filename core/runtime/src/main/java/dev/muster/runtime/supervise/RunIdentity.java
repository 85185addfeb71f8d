package dev.muster.runtime.supervise;

import dev.muster.runtime.files.RandomText;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * Which run of which job.
 *
 * @param job the job's id
 * @param part of the job on this node, as files call it: {@code node-0}, or a role such as {@code ps-0}
 * @param run tells this run from others of the same part; it becomes part of names of files
 * @param launcher who this launcher is, for people: pid, host and time
 */
public record RunIdentity(String job, String part, String run, String launcher) {

    private static final int BYTES = 3;

    /**
     * A run with a new id. It need not be a secret; two launchers of one job must not draw the same.
     *
     * @param pid of the launcher
     * @param host where it runs
     */
    public static RunIdentity draw(String job, String part, long pid, String host, Instant startedAt) {
        String launcher = "pid " + pid + " on " + host + ", since " + startedAt.truncatedTo(ChronoUnit.SECONDS);
        return new RunIdentity(job, part, RandomText.hexadecimal(BYTES), launcher);
    }

    /** What the names of all files of this part of the job have in common. */
    String stem() {
        return job + "-" + part;
    }

    String describe() {
        return "run " + run + " (" + launcher + ")";
    }
}
