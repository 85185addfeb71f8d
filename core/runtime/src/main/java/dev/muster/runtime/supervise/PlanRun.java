package dev.muster.runtime.supervise;

import dev.muster.runtime.control.StopDesk;
import dev.muster.runtime.errors.ExitCode;
import dev.muster.runtime.errors.MusterException;
import dev.muster.runtime.files.RunDirectory;
import dev.muster.runtime.output.Console;
import dev.muster.runtime.output.OutputHub;
import dev.muster.runtime.output.StreamReport;
import dev.muster.runtime.output.Waits;
import dev.muster.runtime.ports.PortClaims;
import dev.muster.runtime.ports.Ports;
import dev.muster.runtime.process.Guard;
import dev.muster.runtime.process.IgnoredSignals;
import dev.muster.runtime.process.InheritedEnvironment;
import dev.muster.runtime.process.MemoryMeter;
import dev.muster.runtime.process.OpenFiles;
import dev.muster.runtime.process.ProcessLauncher;
import dev.muster.runtime.process.ProcessTable;
import dev.muster.runtime.process.RunMarker;
import dev.muster.runtime.process.Signals;
import dev.muster.runtime.process.StartLimits;
import dev.muster.runtime.process.Termination;
import dev.muster.runtime.process.Warden;
import dev.muster.runtime.report.LogReport;
import dev.muster.runtime.report.Verdict;
import dev.muster.runtime.threads.Daemon;
import dev.muster.spi.LaunchPlan;
import dev.muster.spi.ProcessSpec;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

/** Carries out a plan on this machine: prepares it, supervises it, and puts everything away. */
public final class PlanRun {

    /** How long processes that outlive their rank may hold its output open. */
    private static final Duration DRAIN_LIMIT = Duration.ofSeconds(2);

    private final Console console;
    private final Signals signals;
    private final IgnoredSignals ignored;
    private final Guard guard;
    private final InheritedEnvironment inherited;
    private final RunDirectory runDirectory;
    private final LongSupplier nanoClock;
    private final StopDesk desk;
    private final Households households;
    private final OpenFiles openFiles = new OpenFiles(Path.of("/"));

    public PlanRun(
            Console console,
            Signals signals,
            IgnoredSignals ignored,
            Guard guard,
            InheritedEnvironment inherited,
            RunDirectory runDirectory,
            LongSupplier nanoClock,
            StopDesk desk) {
        this(console, signals, ignored, guard, inherited, runDirectory, nanoClock, desk, new Households(runDirectory));
    }

    private PlanRun(
            Console console,
            Signals signals,
            IgnoredSignals ignored,
            Guard guard,
            InheritedEnvironment inherited,
            RunDirectory runDirectory,
            LongSupplier nanoClock,
            StopDesk desk,
            Households households) {
        this.households = households;
        this.desk = desk;
        this.console = console;
        this.signals = signals;
        this.ignored = ignored;
        this.guard = guard;
        this.inherited = inherited;
        this.runDirectory = runDirectory;
        this.nanoClock = nanoClock;
    }

    /** The same for processes that inherit another environment. */
    public PlanRun inheriting(InheritedEnvironment other) {
        return new PlanRun(console, signals, ignored, guard, other, runDirectory, nanoClock, desk, households);
    }

    /**
     * Ends the services that the last run has kept for the next: there is none.
     *
     * @param isJobOver whether there is none on other nodes either
     * @return how they have ended, by their ids
     */
    public Map<String, Termination> putAway(boolean isJobOver) {
        Map<String, Termination> ends = households.close();
        if (isJobOver) {
            runDirectory.removeJobKeys();
        }
        return ends;
    }

    /**
     * How it went.
     *
     * @param logs by process id, for those that were to be started
     */
    public record Result(Verdict verdict, Map<String, LogReport> logs) {}

    /**
     * Runs a plan to its end.
     *
     * @throws MusterException when it cannot be prepared; nothing has been started then
     */
    public Result run(LaunchPlan plan, RunSettings settings) throws InterruptedException {
        Reached reached = carryOut(plan, settings);
        // Putting everything away takes its time, too.
        Duration since = Duration.ofNanos(nanoClock.getAsLong() - reached.nanoTime());
        return new Result(reached.verdict().after(since), reached.logs());
    }

    /** A verdict that was reached at a time on the clock of all events. */
    private record Reached(Verdict verdict, long nanoTime, Map<String, LogReport> logs) {}

    private Reached carryOut(LaunchPlan plan, RunSettings settings) throws InterruptedException {
        Neighbours neighbours = new Neighbours(settings, runDirectory, guard, waits(settings));
        openFiles.require(plan.processes().size());
        new StartLimits(Path.of("/")).require(plan.processes().size());
        if (PrivateWords.areIn(plan)) {
            runDirectory.requireClosed();
        }
        Household household = households.enter(plan);
        boolean isLeft = false;
        try {
            Reached reached = carryOut(plan, settings, neighbours, household);
            isLeft = household.isLeft();
            return reached;
        } finally {
            if (isLeft) {
                households.leave(household);
            } else {
                household.close();
            }
        }
    }

    private Reached carryOut(LaunchPlan plan, RunSettings settings, Neighbours neighbours, Household household)
            throws InterruptedException {
        Ports ports = household.ports();
        PortClaims claims = new PortClaims(ports, settings.inputTimeout(), signals::goOnAfter, waits(settings));
        boolean goesOn = neighbours.haveEnded(household.marker(), forerunners(plan), signals, nanoClock)
                && household.claim(claims, plan.ports(), settings.isAgain());
        if (!goesOn) {
            return stoppedBeforeTheStart(plan, settings);
        }
        try (RunLogs logs = RunLogs.open(settings, console::warn)) {
            PreparedPlan prepared = new Preparation(
                            runDirectory, ports, settings.environment(), settings.secrets(), console::warn)
                    .prepare(logs.named(plan));
            return supervise(prepared, household, settings, logs, neighbours);
        }
    }

    /** Nothing is there that steps could put away, so none is run. */
    private Reached stoppedBeforeTheStart(LaunchPlan plan, RunSettings settings) throws InterruptedException {
        List<ProcessSpec> withoutSteps = plan.processes().stream()
                .filter(process -> !(process instanceof ProcessSpec.Step))
                .toList();
        Verdict verdict = supervise(
                plan.withProcesses(withoutSteps),
                settings,
                listening(settings),
                new NothingStarted(waits(settings), settings::masked));
        long now = nanoClock.getAsLong();
        Verdict ofAll = new Verdict(
                verdict.planName(),
                verdict.cause(),
                new Roster(plan).reports(now),
                verdict.duration(),
                verdict.age(),
                verdict.job());
        return new Reached(ofAll, now, Map.of());
    }

    /** What signals and other launchers have said before comes first. */
    private Events listening(RunSettings settings) {
        Events events = new Events(nanoClock);
        signals.listen(signal -> events.post(new Event.SignalReceived(signal.name(), signal.number(), events.now())));
        settings.others().link().listen(heard -> events.post(new Event.Told(heard, events.now())));
        return events;
    }

    private static Verdict supervise(LaunchPlan plan, RunSettings settings, Events events, Effects effects)
            throws InterruptedException {
        StopTimes times = StopTimes.withGrace(settings.grace())
                .withPatience(settings.patience())
                .withCheckpointSignal(settings.checkpointSignal());
        return new Supervisor(plan, times, events, effects, settings.others(), settings.resets()).run();
    }

    private Reached supervise(
            PreparedPlan plan, Household household, RunSettings settings, RunLogs logs, Neighbours neighbours)
            throws InterruptedException {
        OutputHub hub = openHub(settings, logs);
        try {
            return supervise(plan, household, settings, logs.directory(), neighbours, hub);
        } catch (RuntimeException | Error broken) {
            // The warden has ended all: what they printed until then is in the logs.
            drain(hub);
            throw broken;
        }
    }

    private Reached supervise(
            PreparedPlan plan,
            Household household,
            RunSettings settings,
            Optional<Path> logDirectory,
            Neighbours neighbours,
            OutputHub hub)
            throws InterruptedException {
        Events events = listening(settings);
        ProcessLauncher launcher = new ProcessLauncher(inherited, household.marker(), ignored, openFiles);
        MemoryMeter memory = new MemoryMeter(Path.of("/"));
        Daemon.Watch watch =
                Daemon.watch((thread, thrown) -> events.post(new Event.Broken(thread, thrown, events.now())));
        StopDesk.Door door = DeskOwner.open(desk, runDirectory.madePath(), events);
        FaultWatch cards = settings.resets().watch(events);
        try (watch;
                door;
                cards;
                launcher;
                Household.Care care =
                        household.care(() -> warden(plan, household.marker(), settings, neighbours), nanoClock);
                FaultTimer faults = faultTimer(settings, care.warden())) {
            ProcessStarts starts = new ProcessStarts(
                    plan,
                    launcher,
                    household,
                    care.warden(),
                    hub,
                    process -> RunEffects.stream(process, settings.prefix().apply(process), logDirectory),
                    settings.mayBeFollowed());
            RunEffects effects = new RunEffects(
                    events,
                    starts,
                    care.warden(),
                    household.table(),
                    hub,
                    console,
                    runDirectory,
                    settings::masked,
                    memory,
                    waits(settings),
                    faults);
            Verdict verdict = supervise(plan.plan(), settings, events, effects).with(memory.sinceTheStart());
            long reachedAt = nanoClock.getAsLong();
            care.isOver(DRAIN_LIMIT);
            drain(hub);
            Map<String, LogReport> logs = logs(hub, verdict);
            Verdict explained = new Inquiry(plan, settings, hub::last).into(LastWords.in(verdict, logs));
            return new Reached(explained, reachedAt, logs);
        }
    }

    private FaultTimer faultTimer(RunSettings settings, Warden warden) {
        return new FaultTimer(
                settings.faults(),
                process -> ProcessTable.isThere(process.pid(), process.start()),
                process -> warden.signalProcesses("KILL", List.of(process)),
                console::say);
    }

    private Waits waits(RunSettings settings) {
        return Waits.on(console, nanoClock, settings.progress());
    }

    private Warden warden(PreparedPlan plan, RunMarker marker, RunSettings settings, Neighbours neighbours) {
        Warden warden = new Warden(
                marker,
                settings.grace(),
                forerunners(plan.plan()),
                runDirectory.madePath(),
                guard,
                nanoClock,
                neighbours::guardedBy,
                console::warn);
        warden.start();
        return warden;
    }

    /** The variables by which the forerunners of any process are known. */
    private static Set<String> forerunners(LaunchPlan plan) {
        return plan.processes().stream()
                .flatMap(process -> process.hosted().stream())
                .flatMap(ranks -> ranks.variables().stream())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private OutputHub openHub(RunSettings settings, RunLogs logs) {
        try {
            return new OutputHub(console, settings.run(), settings.startedAt(), logs::reach);
        } catch (IOException noPipes) {
            throw new MusterException(
                    ExitCode.UNAVAILABLE, "cannot take the output of processes: " + noPipes.getMessage(), noPipes);
        }
    }

    private void drain(OutputHub hub) throws InterruptedException {
        List<String> held = hub.drain(DRAIN_LIMIT);
        if (!held.isEmpty()) {
            console.warn(HeldOutput.warning(hub, held));
        }
    }

    private static Map<String, LogReport> logs(OutputHub hub, Verdict verdict) {
        Map<String, LogReport> logs = new HashMap<>();
        verdict.processes().forEach(process -> {
            ProcessSpec spec = process.spec();
            if (process.pid() > 0) {
                StreamReport report = hub.report(spec.id());
                logs.put(spec.id(), new LogReport(report.logFile(), report.bytesLogged(), report.bytesLost()));
            }
        });
        return logs;
    }
}
