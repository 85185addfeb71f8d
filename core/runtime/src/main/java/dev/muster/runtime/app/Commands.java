package dev.muster.runtime.app;

import com.google.inject.Binder;
import com.google.inject.Guice;
import com.google.inject.Scopes;
import com.google.inject.Stage;
import dev.muster.runtime.commands.CommandContext;
import dev.muster.runtime.commands.CommandRunner;
import dev.muster.runtime.commands.VariableShell;
import dev.muster.runtime.config.ProcessInfo;
import dev.muster.runtime.files.RunDirectory;
import dev.muster.runtime.launch.LaunchCommand;
import dev.muster.runtime.launch.LaunchContext;
import dev.muster.runtime.output.Console;
import dev.muster.runtime.process.ProcessSupervisor;
import dev.muster.runtime.process.Signals;
import dev.muster.runtime.supervise.PlanRun;
import dev.muster.runtime.supervise.SupervisorEvents;
import java.time.Clock;
import java.util.function.Supplier;

/** The commands of the program. Only the command that the user asks for is built, with the objects that it needs. */
final class Commands {

    private final LaunchContext context;
    private final Supplier<ProcessSupervisor> supervisor;
    private final Supplier<SupervisorEvents> events;

    /**
     * @param supervisor asked for when the first process is started
     * @param events of that supervisor, asked for once
     */
    Commands(
            ProcessInfo processInfo,
            Console console,
            Signals signals,
            Supplier<ProcessSupervisor> supervisor,
            Supplier<SupervisorEvents> events) {
        // Without this Guice makes classes by an interface of the JDK, and newer JDKs warn of that on standard error.
        System.setProperty("guice_bytecode_gen_option", "DISABLED");
        this.supervisor = supervisor;
        this.events = events;
        this.context = context(processInfo, console, signals);
    }

    /** The context of commands, with the clocks of this machine. */
    private LaunchContext context(ProcessInfo processInfo, Console console, Signals signals) {
        CommandContext around = new CommandContext(
                processInfo.environment(), processInfo.directory(), signals::isStopRequested, System::nanoTime);
        return new LaunchContext(
                processInfo,
                console,
                signals,
                new CommandRunner(around),
                says -> new VariableShell(supervisor, around, says),
                Clock.systemUTC(),
                System::nanoTime);
    }

    /** {@code muster --engine E -- COMMAND}. */
    LaunchCommand launch() {
        return new LaunchCommand(context, supervisor, this::bind);
    }

    /** Any other command. */
    <T> T get(Class<T> command) {
        return Guice.createInjector(Stage.DEVELOPMENT, this::bind, binder -> binder.bind(command))
                .getInstance(command);
    }

    private void bind(Binder binder) {
        binder.requireExplicitBindings();
        give(binder, LaunchContext.class, context);
        give(binder, ProcessInfo.class, context.processInfo());
        give(binder, Signals.class, context.signals());
        give(binder, Console.class, context.console());
        give(binder, Clock.class, context.clock());
        binder.bind(RunDirectory.class).toProvider(this::directory);
        binder.bind(ProcessSupervisor.class).toProvider(supervisor::get);
        binder.bind(SupervisorEvents.class).toProvider(events::get).in(Scopes.SINGLETON);
        binder.bind(PlanRun.class);
    }

    /** Binds an existing object. With toInstance Guice would look for annotations in its class. */
    private static <T> void give(Binder binder, Class<T> kind, T given) {
        binder.bind(kind).toProvider(() -> given);
    }

    private RunDirectory directory() {
        return RunDirectory.of(context.processInfo().environment().variables(), RunDirectory.TEMPORARY);
    }
}
