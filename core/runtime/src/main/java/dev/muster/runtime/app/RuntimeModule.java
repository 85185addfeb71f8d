package dev.muster.runtime.app;

import com.google.inject.AbstractModule;
import com.google.inject.Provider;
import dev.muster.runtime.cli.RequestReader;
import dev.muster.runtime.commands.CommandContext;
import dev.muster.runtime.commands.CommandRunner;
import dev.muster.runtime.commands.VariableShell;
import dev.muster.runtime.config.ProcessInfo;
import dev.muster.runtime.engines.EngineCatalog;
import dev.muster.runtime.files.RunDirectory;
import dev.muster.runtime.launch.LaunchCommand;
import dev.muster.runtime.launch.LaunchContext;
import dev.muster.runtime.launch.PlanCommand;
import dev.muster.runtime.link.Link;
import dev.muster.runtime.output.Console;
import dev.muster.runtime.platform.PlatformCatalog;
import dev.muster.runtime.plugins.PluginJars;
import dev.muster.runtime.plugins.PluginListener;
import dev.muster.runtime.process.ProcessSupervisor;
import dev.muster.runtime.process.Signals;
import dev.muster.runtime.simulate.SimulateCommand;
import dev.muster.runtime.supervise.PlanRun;
import java.time.Clock;
import java.util.function.Supplier;

/**
 * Which class gets what. Instances and providers only: they cost the least at start, and what is not asked for is never
 * built.
 */
final class RuntimeModule extends AbstractModule {

    private final ProcessInfo processInfo;
    private final Signals signals;
    private final Supplier<ProcessSupervisor> supervisor;
    private final Console console;
    private final PluginListener plugins;
    private final Clock clock = Clock.systemUTC();
    private final RunDirectory directory;
    private final CommandContext context;

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
        directory = RunDirectory.of(processInfo.environment().variables(), RunDirectory.TEMPORARY);
        context = new CommandContext(
                processInfo.environment(), processInfo.directory(), signals::areToStop, System::nanoTime);
    }

    @Override
    protected void configure() {
        Provider<LaunchCommand> launch = () -> new LaunchCommand(
                context(), planRun(), settings -> Link.open(settings, System::nanoTime, console::say, console::warn));
        Provider<PlanCommand> plan = () -> new PlanCommand(context());
        Provider<SimulateCommand> simulate = () -> new SimulateCommand(processInfo, console, planRun(), clock);
        bind(Commands.class).toProvider(() -> new Commands(requests(), launch, plan, simulate));
    }

    private LaunchContext context() {
        return new LaunchContext(
                processInfo,
                console,
                signals,
                new CommandRunner(context),
                says -> new VariableShell(supervisor, context, says),
                clock,
                System::nanoTime);
    }

    private RequestReader requests() {
        PluginJars jars = new PluginJars(processInfo.launcher().packageHome());
        return new RequestReader(processInfo, new EngineCatalog(jars, plugins), new PlatformCatalog(jars, plugins));
    }

    private PlanRun planRun() {
        return new PlanRun(console, signals, supervisor.get(), processInfo.environment(), directory, System::nanoTime);
    }
}
