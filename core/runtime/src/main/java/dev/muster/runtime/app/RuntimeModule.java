package dev.muster.runtime.app;

import com.google.inject.AbstractModule;
import com.google.inject.Scopes;
import dev.muster.runtime.certify.CertifyCommand;
import dev.muster.runtime.cli.RequestReader;
import dev.muster.runtime.commands.CommandContext;
import dev.muster.runtime.commands.CommandRunner;
import dev.muster.runtime.commands.VariableShell;
import dev.muster.runtime.config.Environment;
import dev.muster.runtime.config.ProcessInfo;
import dev.muster.runtime.control.ControlServer;
import dev.muster.runtime.doctor.DoctorCommand;
import dev.muster.runtime.engines.EngineCatalog;
import dev.muster.runtime.files.RunDirectory;
import dev.muster.runtime.launch.LaunchCommand;
import dev.muster.runtime.launch.LaunchContext;
import dev.muster.runtime.launch.PlanCommand;
import dev.muster.runtime.output.Console;
import dev.muster.runtime.platform.PlatformCatalog;
import dev.muster.runtime.process.ProcessSupervisor;
import dev.muster.runtime.process.Signals;
import dev.muster.runtime.remote.RunCommand;
import dev.muster.runtime.simulate.SimulateCommand;
import dev.muster.runtime.supervise.PlanRun;
import dev.muster.runtime.supervise.SupervisorEvents;
import java.time.Clock;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** Which class gets what. What is not asked for is never built. */
final class RuntimeModule extends AbstractModule {

    private static final Clock CLOCK = Clock.systemUTC();
    private static final LongSupplier NANO_CLOCK = System::nanoTime;

    private final ProcessInfo processInfo;
    private final RequestReader requests;
    private final Signals signals;
    private final Supplier<ProcessSupervisor> supervisor;
    private final Console console;

    /** @param supervisor asked for when the first process is started */
    RuntimeModule(RequestReader requests, Signals signals, Supplier<ProcessSupervisor> supervisor, Console console) {
        processInfo = requests.processInfo();
        this.requests = requests;
        this.signals = signals;
        this.supervisor = supervisor;
        this.console = console;
    }

    @Override
    protected void configure() {
        binder().requireExplicitBindings();
        bindGiven(ProcessInfo.class, processInfo);
        bindGiven(Environment.class, processInfo.environment());
        bindGiven(Signals.class, signals);
        bindGiven(Console.class, console);
        bindGiven(Clock.class, CLOCK);
        bindGiven(LongSupplier.class, NANO_CLOCK);
        bindGiven(LaunchContext.class, launchContext());
        bindGiven(EngineCatalog.class, requests.catalog());
        bindGiven(PlatformCatalog.class, requests.platforms());
        bind(RunDirectory.class).toProvider(this::directory);
        bind(ProcessSupervisor.class).toProvider(supervisor::get);
        bind(SupervisorEvents.class).toProvider(this::events).in(Scopes.SINGLETON);
        bindCommands();
    }

    private void bindCommands() {
        bind(Commands.class);
        bind(CertifyCommand.class);
        bind(DoctorCommand.class);
        bind(LaunchCommand.class);
        bind(PlanCommand.class);
        bind(PlanRun.class);
        bind(RunCommand.class);
        bind(SimulateCommand.class);
    }

    /** What is there already. Guice would look for annotations in the class of an instance. */
    private <T> void bindGiven(Class<T> kind, T given) {
        bind(kind).toProvider(() -> given);
    }

    private RunDirectory directory() {
        return RunDirectory.of(processInfo.environment().variables(), RunDirectory.TEMPORARY);
    }

    private LaunchContext launchContext() {
        CommandContext context =
                new CommandContext(processInfo.environment(), processInfo.directory(), signals::areToStop, NANO_CLOCK);
        return new LaunchContext(
                processInfo,
                console,
                signals,
                new CommandRunner(context),
                says -> new VariableShell(supervisor, context, says),
                CLOCK,
                NANO_CLOCK);
    }

    private SupervisorEvents events() {
        ProcessSupervisor connection = supervisor.get();
        ControlServer control = new ControlServer(connection, NANO_CLOCK);
        SupervisorEvents events = new SupervisorEvents(signals, control, NANO_CLOCK);
        connection.listen(events);
        return events;
    }
}
