package dev.muster.runtime.commands;

import dev.muster.runtime.config.Environment;
import dev.muster.runtime.config.ProcessInfo;
import dev.muster.runtime.process.AttachedSupervisor;
import dev.muster.runtime.process.ProcessSupervisor;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;

/** Commands for tests. */
public final class TestCommands {

    private static Optional<AttachedSupervisor> started = Optional.empty();

    private TestCommands() {}

    /** The supervisor that all tests in this JVM share. */
    public static synchronized ProcessSupervisor supervisor() {
        if (started.isEmpty()) {
            AttachedSupervisor supervisor = AttachedSupervisor.startWithoutSignals(
                    ProcessInfo.ofJvm(new String[0]), ProcessInfo.machine(), System::nanoTime);
            Runtime.getRuntime().addShutdownHook(new Thread(supervisor::abandon));
            started = Optional.of(supervisor);
        }
        return started.get().connection();
    }

    /** A runner that looks for commands in {@code searchPath} and runs them in a directory. */
    public static CommandRunner in(Path directory, String searchPath) {
        return new CommandRunner(context(directory, Map.of("PATH", searchPath), () -> false));
    }

    /** Commands run in this directory, and get only these variables. */
    public static CommandContext context(Path directory, Map<String, String> variables, BooleanSupplier areToStop) {
        Set<String> others = new HashSet<>(System.getenv().keySet());
        others.removeAll(variables.keySet());
        Environment environment = Environment.of(System.getenv()).changed(variables, others);
        return new CommandContext(environment, directory, areToStop, System::nanoTime);
    }
}
