package dev.muster.runtime.app;

import com.google.inject.Guice;
import com.google.inject.Module;
import com.google.inject.Stage;
import dev.muster.runtime.commands.CommandContext;
import dev.muster.runtime.commands.CommandRunner;
import dev.muster.runtime.commands.VariableShell;
import dev.muster.runtime.config.ProcessInfo;
import dev.muster.runtime.launch.LaunchCommand;
import dev.muster.runtime.launch.LaunchContext;
import dev.muster.runtime.output.Console;
import dev.muster.runtime.process.ProcessSupervisor;
import dev.muster.runtime.process.Signals;
import java.time.Clock;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** What the program can do; only the command that is asked for is built. */
final class Commands {

    private final LaunchCommand launch;
    private final Module program;

    /** @param supervisor asked for when the first process is started */
    Commands(ProcessInfo processInfo, Console console, Signals signals, Supplier<ProcessSupervisor> supervisor) {
        // Else Guice makes classes by an interface of the JDK that newer ones warn of on standard error.
        System.setProperty("guice_bytecode_gen_option", "DISABLED");
        LaunchContext context = context(processInfo, console, signals, supervisor);
        program = new RuntimeModule(context, supervisor);
        launch = new LaunchCommand(context, supervisor, program);
    }

    /** On the clocks of this machine. */
    private static LaunchContext context(
            ProcessInfo processInfo, Console console, Signals signals, Supplier<ProcessSupervisor> supervisor) {
        LongSupplier nanoClock = System::nanoTime;
        CommandContext around =
                new CommandContext(processInfo.environment(), processInfo.directory(), signals::areToStop, nanoClock);
        return new LaunchContext(
                processInfo,
                console,
                signals,
                new CommandRunner(around),
                says -> new VariableShell(supervisor, around, says),
                Clock.systemUTC(),
                nanoClock);
    }

    /** {@code muster --engine E -- COMMAND}. */
    LaunchCommand launch() {
        return launch;
    }

    /** Any other one. */
    <T> T get(Class<T> command) {
        return Guice.createInjector(Stage.DEVELOPMENT, program, binder -> binder.bind(command))
                .getInstance(command);
    }
}
