package dev.muster.runtime.commands;

import dev.muster.runtime.config.Environment;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.BooleanSupplier;

/** Commands for tests. */
public final class TestCommands {

    private TestCommands() {}

    /** What asks commands that are found in some directories, in a directory. */
    public static CommandRunner in(Path directory, String searchPath) {
        return new CommandRunner(context(directory, Map.of("PATH", searchPath), () -> false));
    }

    /** The context of commands in a directory. */
    public static CommandContext context(Path directory, Map<String, String> variables, BooleanSupplier areToStop) {
        return new CommandContext(Environment.of(variables), directory, areToStop, System::nanoTime);
    }
}
