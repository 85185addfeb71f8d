package dev.muster.spi;

import java.util.List;

/**
 * What decides how the node's job ended. In every case a task or service that fails ends the job: the first failure in
 * time is its cause.
 *
 * @since 0.1
 */
public sealed interface Outcome {

    /** Success when all tasks have ended with 0. */
    record AllTasks() implements Outcome {}

    /** The job ends when this task ends, with its code; the others are stopped then. */
    record DecidedBy(String taskId) implements Outcome {}

    /** The first case whose condition comes true ends the job. Tasks that still run are stopped. */
    record FirstOf(List<Case> cases) implements Outcome {
        public FirstOf {
            cases = List.copyOf(cases);
        }
    }

    /**
     * One way for a job to end.
     *
     * @param exitCode of the launcher
     * @param reason for the verdict, in the user's words
     */
    record Case(Condition when, int exitCode, String reason) {}

    Outcome ALL_TASKS = new AllTasks();
}
