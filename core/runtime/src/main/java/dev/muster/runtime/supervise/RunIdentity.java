package dev.muster.runtime.supervise;

import java.util.concurrent.ThreadLocalRandom;

/**
 * Which run of which job.
 *
 * @param job the job's id
 * @param part of the job on this node, as files call it: {@code node-0}, or a role such as {@code ps-0}
 * @param run tells this run from others of the same part; it becomes part of names of files
 * @param launcher who this launcher is, for people: pid, host and time
 */
public record RunIdentity(String job, String part, String run, String launcher) {

    private static final int LETTERS = 6;

    /** A new id of a run. It need not be a secret; two launchers of one job must not draw the same. */
    public static String draw() {
        long most = (long) Math.pow(Character.MAX_RADIX, LETTERS);
        long least = most / Character.MAX_RADIX;
        return Long.toString(ThreadLocalRandom.current().nextLong(least, most), Character.MAX_RADIX);
    }

    /** What the names of all files of this part of the job have in common. */
    String stem() {
        return job + "-" + part;
    }

    String describe() {
        return "run " + run + " (" + launcher + ")";
    }
}
