package dev.muster.runtime.conditions;

import dev.muster.spi.Value;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;

/** How conditions find out what only the run of a plan can tell. */
public interface Inquirer {

    /** Where a file of this name in the run's private directory is, or would be. */
    Path privateFile(String name);

    /**
     * Starts a command that only asks; never blocks.
     *
     * @param answered called once, on another thread, unless the run is ended before
     */
    Run ask(List<Value> command, Consumer<Reply> answered);

    /** A run of such a command. */
    interface Run {
        /** Ends it, with all that it started, if it has not ended. */
        void end();
    }

    /**
     * What a run said.
     *
     * @param exitCode as a shell would give it
     * @param lastLine the last line that it printed; empty: it printed nothing
     */
    record Reply(int exitCode, String lastLine) {}
}
