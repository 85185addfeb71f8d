package dev.muster.spi;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * What decides how the node's job ended. In every case a task or service that fails ends the job: the first failure in
 * time is its cause.
 *
 * @since 0.1
 */
public sealed interface Outcome {

    /** What this becomes, by its kind. */
    <T> T fold(Cases<T> cases);

    /** Success when all tasks have ended with 0. */
    record AllTasks() implements Outcome {
        @Override
        public <T> T fold(Cases<T> cases) {
            return cases.allTasks(this);
        }
    }

    /** The job ends when this task ends, with its code; the others are stopped then. */
    record DecidedBy(String taskId) implements Outcome {
        @Override
        public <T> T fold(Cases<T> cases) {
            return cases.decidedBy(this);
        }
    }

    /** The first case whose condition comes true ends the job. Tasks that still run are stopped. */
    record FirstOf(List<Case> cases) implements Outcome {
        public FirstOf {
            cases = List.copyOf(cases);
        }

        @Override
        public <T> T fold(Cases<T> cases) {
            return cases.firstOf(this);
        }
    }

    /**
     * One way for a job to end.
     *
     * @param exitCode of the launcher
     * @param codeFile a file in the run's {@linkplain Value.PrivateDirectory private directory} whose content is the exit code
     *     instead, 0..255, and perhaps after a blank the reason; {@code exitCode} is for content that is none. To be renamed
     *     to its name when it is whole. When a process fails and this case is about its end, the reason is the failure's
     * @param missing what was waited for in vain; the verdict tells why each of its parts does not hold
     * @param reason for the verdict, in the user's words
     */
    record Case(Condition when, int exitCode, Optional<String> codeFile, Optional<Condition> missing, String reason) {

        public Case(Condition when, int exitCode, String reason) {
            this(when, exitCode, Optional.empty(), Optional.empty(), reason);
        }
    }

    /**
     * This node's part only serves the others': it ends when the launcher that leads the job says how the job ended, with the
     * job's code; or, as success, when all tasks and services that it had have ended by themselves with 0.
     *
     * @param exitCode the code of this launcher instead, when the job ended otherwise than by a failure of this node
     */
    record FollowsLeader(OptionalInt exitCode) implements Outcome {
        @Override
        public <T> T fold(Cases<T> cases) {
            return cases.followsLeader(this);
        }
    }

    Outcome ALL_TASKS = new AllTasks();

    /**
     * What becomes of each kind of outcome. A new kind is a method more, so that nobody forgets it.
     *
     * @param <T> what it becomes
     */
    interface Cases<T> {

        T allTasks(AllTasks allTasks);

        T decidedBy(DecidedBy decidedBy);

        T firstOf(FirstOf firstOf);

        T followsLeader(FollowsLeader followsLeader);
    }
}
