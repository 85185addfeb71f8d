package dev.muster.runtime.app;

import com.google.inject.Guice;
import com.google.inject.Module;
import com.google.inject.Stage;
import dev.muster.runtime.config.ProcessInfo;
import dev.muster.runtime.launch.LaunchCommand;
import dev.muster.runtime.launch.LaunchContext;
import dev.muster.runtime.output.Console;
import dev.muster.runtime.process.ProcessSupervisor;
import dev.muster.runtime.process.Signals;
import java.util.function.Supplier;

/** What the program can do; only the command that is asked for is built. */
final class Commands {

    private final LaunchCommand launch;
    private final Module program;

    /** @param supervisor asked for when the first process is started */
    Commands(ProcessInfo processInfo, Console console, Signals signals, Supplier<ProcessSupervisor> supervisor) {
        // Else Guice makes classes by an interface of the JDK that newer ones warn of on standard error.
        System.setProperty("guice_bytecode_gen_option", "DISABLED");
        LaunchContext context = LaunchContext.of(processInfo, console, signals, supervisor);
        program = new RuntimeModule(context, supervisor);
        launch = new LaunchCommand(context, supervisor, program);
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
