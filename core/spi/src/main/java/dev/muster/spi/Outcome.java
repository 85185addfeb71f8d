package dev.muster.spi;

import java.util.List;

/**
 * What decides how the node's job ended. A task or service that fails always ends the job: the first failure in
 * time is the cause.
 *
 * @param cases the first case whose condition comes true ends the job, and the launcher stops tasks that still run; empty: all tasks
 *     must end with 0
 * @param followsLeader whether this node only serves other nodes. It ends with the job's code when the leader says how the job ended.
 *     It ends with success when all its tasks and services have ended by themselves with 0
 * @since 0.1
 */
@Stability(stable = true)
public record Outcome(List<Case> cases, boolean followsLeader) {

    /** Success when all tasks have ended with 0. */
    public static final Outcome ALL_TASKS = new Outcome(List.of(), false);

    /** The leader decides. */
    public static final Outcome FOLLOWS_LEADER = new Outcome(List.of(), true);

    /**
     * One way for a job to end.
     *
     * @param exitCode of the launcher
     * @param reason for the verdict, in words that users know
     */
    public record Case(Condition when, int exitCode, String reason) {}

    public Outcome {
        cases = List.copyOf(cases);
    }

    /** The first case whose condition comes true ends the job. */
    public static Outcome firstOf(List<Case> cases) {
        return new Outcome(cases, false);
    }
}
