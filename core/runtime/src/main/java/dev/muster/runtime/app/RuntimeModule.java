package dev.muster.runtime.app;

import com.google.inject.AbstractModule;
import com.google.inject.Provides;
import com.google.inject.Singleton;
import dev.muster.runtime.cli.RequestReader;
import dev.muster.runtime.commands.CommandContext;
import dev.muster.runtime.commands.CommandRunner;
import dev.muster.runtime.commands.VariableShell;
import dev.muster.runtime.config.Environment;
import dev.muster.runtime.config.ProcessInfo;
import dev.muster.runtime.control.ControlServer;
import dev.muster.runtime.engines.EngineCatalog;
import dev.muster.runtime.files.RunDirectory;
import dev.muster.runtime.launch.LaunchCommand;
import dev.muster.runtime.launch.LaunchContext;
import dev.muster.runtime.launch.PlanCommand;
import dev.muster.runtime.output.Console;
import dev.muster.runtime.platform.PlatformCatalog;
import dev.muster.runtime.plugins.PluginJars;
import dev.muster.runtime.plugins.PluginListener;
import dev.muster.runtime.process.ProcessSupervisor;
import dev.muster.runtime.process.Signals;
import dev.muster.runtime.simulate.SimulateCommand;
import dev.muster.runtime.supervise.PlanRun;
import dev.muster.runtime.supervise.SupervisorEvents;
import jakarta.inject.Provider;
import java.time.Clock;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** Which class gets what. What is not asked for is never built. */
final class RuntimeModule extends AbstractModule {

    private final ProcessInfo processInfo;
    private final Signals signals;
    private final Supplier<ProcessSupervisor> supervisor;
    private final Console console;
    private final PluginListener plugins;

    /** @param supervisor asked for when the first process is started */
    RuntimeModule(
            ProcessInfo processInfo,
            Signals signals,
            Supplier<ProcessSupervisor> supervisor,
            Console console,
            PluginListener plugins) {
        this.processInfo = processInfo;
        this.signals = signals;
        this.supervisor = supervisor;
        this.console = console;
        this.plugins = plugins;
    }

    @Override
    protected void configure() {
        binder().requireExplicitBindings();
        bind(ProcessInfo.class).toInstance(processInfo);
        bind(Environment.class).toInstance(processInfo.environment());
        bind(Signals.class).toInstance(signals);
        bind(Console.class).toInstance(console);
        bind(Clock.class).toInstance(Clock.systemUTC());
        bind(LongSupplier.class).toInstance(System::nanoTime);
        bind(CommandRunner.class);
        bind(ControlServer.class);
        bind(LaunchCommand.class);
        bind(PlanCommand.class);
        bind(PlanRun.class);
        bind(RequestReader.class);
        bind(SimulateCommand.class);
    }

    @Provides
    ProcessSupervisor connection() {
        return supervisor.get();
    }

    @Provides
    @Singleton
    PluginJars jars() {
        return new PluginJars(processInfo.launcher().packageHome(), processInfo.pluginDirectory());
    }

    @Provides
    EngineCatalog engines(PluginJars jars) {
        return new EngineCatalog(jars, plugins);
    }

    @Provides
    PlatformCatalog platforms(PluginJars jars) {
        return new PlatformCatalog(jars, plugins);
    }

    @Provides
    RunDirectory directory() {
        return RunDirectory.of(processInfo.environment().variables(), RunDirectory.TEMPORARY);
    }

    @Provides
    CommandContext commandContext(LongSupplier nanoClock) {
        return new CommandContext(processInfo.environment(), processInfo.directory(), signals::areToStop, nanoClock);
    }

    @Provides
    @Singleton
    LaunchContext launchContext(CommandContext context, CommandRunner commands, Clock clock, LongSupplier nanoClock) {
        return new LaunchContext(
                processInfo,
                console,
                signals,
                commands,
                says -> new VariableShell(supervisor, context, says),
                clock,
                nanoClock);
    }

    @Provides
    @Singleton
    SupervisorEvents events(ProcessSupervisor connection, ControlServer control, LongSupplier nanoClock) {
        SupervisorEvents events = new SupervisorEvents(signals, control, nanoClock);
        connection.listen(events);
        return events;
    }

    @Provides
    Commands commands(
            RequestReader requests,
            Provider<LaunchCommand> launch,
            Provider<PlanCommand> plan,
            Provider<SimulateCommand> simulate) {
        return new Commands(requests, launch, plan, simulate);
    }
}
