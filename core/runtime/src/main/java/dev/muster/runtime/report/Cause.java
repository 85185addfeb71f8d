package dev.muster.runtime.report;

import dev.muster.runtime.process.Termination;
import dev.muster.spi.ProcessSpec;
import java.util.Optional;

/** What ended a node's job. */
public sealed interface Cause {

    /**
     * Everything the plan asks for succeeded.
     *
     * @param decider the task whose success was enough; empty: all tasks succeeded
     */
    record Success(Optional<ProcessSpec> decider) implements Cause {

        /** All tasks succeeded. */
        public Success() {
            this(Optional.empty());
        }
    }

    /**
     * A process failed before anybody told it to stop.
     *
     * @param reason what the process itself said about it, where it did
     */
    record ProcessFailed(ProcessSpec process, long pid, Termination termination, Optional<String> reason)
            implements Cause {

        /** A process that did not say why. */
        public ProcessFailed(ProcessSpec process, long pid, Termination termination) {
            this(process, pid, termination, Optional.empty());
        }
    }

    /** The launcher was told to stop. */
    record Interrupted(String signal, int number) implements Cause {}

    /** A case of the plan's outcome came true. */
    record Decided(int exitCode, String reason) implements Cause {}
}
