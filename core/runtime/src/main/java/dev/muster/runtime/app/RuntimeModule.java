package dev.muster.runtime.app;

import com.google.inject.AbstractModule;
import com.google.inject.Provider;
import dev.muster.runtime.cli.RequestReader;
import dev.muster.runtime.config.Environment;
import dev.muster.runtime.config.JsonObjects;
import dev.muster.runtime.config.World;
import dev.muster.runtime.control.StopDesk;
import dev.muster.runtime.engines.EngineCatalog;
import dev.muster.runtime.engines.PluginWatch;
import dev.muster.runtime.files.RunDirectory;
import dev.muster.runtime.inputs.InputRoot;
import dev.muster.runtime.inputs.ReadAhead;
import dev.muster.runtime.json.JsonReader;
import dev.muster.runtime.launch.Inheritance;
import dev.muster.runtime.launch.LaunchCommand;
import dev.muster.runtime.launch.PlanCommand;
import dev.muster.runtime.launch.Surroundings;
import dev.muster.runtime.link.Links;
import dev.muster.runtime.output.Console;
import dev.muster.runtime.process.Guard;
import dev.muster.runtime.process.IgnoredSignals;
import dev.muster.runtime.process.InheritedEnvironment;
import dev.muster.runtime.process.Questions;
import dev.muster.runtime.process.Signals;
import dev.muster.runtime.simulate.SimulateCommand;
import dev.muster.runtime.supervise.PlanRun;
import java.time.Clock;

/**
 * Which class gets what. Instances and providers only: they cost the least at start, and what is not asked for is never
 * built.
 */
final class RuntimeModule extends AbstractModule {

    private final World world;
    private final Signals signals;
    private final IgnoredSignals ignored;
    private final Guard guard;
    private final Console console;
    private final PluginWatch plugins;
    private final StopDesk desk;
    private final ReadAhead ahead;

    RuntimeModule(
            World world,
            Signals signals,
            IgnoredSignals ignored,
            Guard guard,
            Console console,
            PluginWatch plugins,
            StopDesk desk,
            ReadAhead ahead) {
        this.world = world;
        this.signals = signals;
        this.ignored = ignored;
        this.guard = guard;
        this.console = console;
        this.plugins = plugins;
        this.desk = desk;
        this.ahead = ahead;
    }

    @Override
    protected void configure() {
        Clock clock = Clock.systemUTC();
        Questions questions =
                new Questions(inherited(), world.environment().value("PATH"), world.directory(), signals::areToStop);
        Surroundings surroundings = new Surroundings(
                world,
                console,
                signals,
                questions,
                clock,
                System::nanoTime,
                InputRoot.MACHINE,
                ahead,
                guard::plansWith);
        Provider<PlanRun> planRun = this::planRun;
        Provider<LaunchCommand> launch = () -> new LaunchCommand(
                surroundings,
                planRun.get(),
                settings -> Links.open(settings, System::nanoTime, console::say, console::warn));
        Provider<PlanCommand> plan = () -> new PlanCommand(surroundings);
        Provider<SimulateCommand> simulate = () -> new SimulateCommand(world, console, planRun.get(), questions, clock);
        bind(Commands.class).toProvider(() -> new Commands(requests(), launch, plan, simulate));
    }

    private RequestReader requests() {
        return new RequestReader(world, new EngineCatalog(world.launcher().packageHome(), plugins), jsonObjects());
    }

    private InheritedEnvironment inherited() {
        return Inheritance.of(world.environment());
    }

    private PlanRun planRun() {
        Environment environment = world.environment();
        return new PlanRun(
                console,
                signals,
                ignored,
                guard,
                inherited(),
                RunDirectory.of(environment.variables(), RunDirectory.TEMPORARY, guard::removes),
                System::nanoTime,
                desk);
    }

    private static JsonObjects jsonObjects() {
        return content -> JsonReader.read(content).orElseThrow(IllegalArgumentException::new);
    }
}
