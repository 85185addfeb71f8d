package dev.muster.spi;

import java.util.List;

/**
 * What decides how the node's job ended. In every case a task or service that fails ends the job: the first failure in
 * time is its cause.
 *
 * @param cases the first of them whose condition comes true ends the job, and tasks that still run are stopped; empty: all tasks have to end
 *     with 0
 * @param followsLeader whether this node's part only serves the others': it ends when the launcher that leads the job says how the job
 *     ended, with the job's code; or, as success, when all tasks and services that it had have ended by themselves with 0
 * @since 0.1
 */
@Stability(stable = true)
public record Outcome(List<Case> cases, boolean followsLeader) {

    /** Success when all tasks have ended with 0. */
    public static final Outcome ALL_TASKS = new Outcome(List.of(), false);

    /** The launcher that leads decides. */
    public static final Outcome FOLLOWS_LEADER = new Outcome(List.of(), true);

    /**
     * One way for a job to end.
     *
     * @param exitCode of the launcher
     * @param reason for the verdict, in the user's words
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
