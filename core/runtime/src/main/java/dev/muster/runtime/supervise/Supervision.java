package dev.muster.runtime.supervise;

import dev.muster.runtime.control.StopDesk;
import dev.muster.runtime.errors.ExitCode;
import dev.muster.runtime.errors.MusterException;
import dev.muster.runtime.output.OutputHub;
import dev.muster.runtime.output.StreamReport;
import dev.muster.runtime.process.MemoryMeter;
import dev.muster.runtime.process.ProcessLauncher;
import dev.muster.runtime.process.ProcessTable;
import dev.muster.runtime.process.Signals;
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

/** Supervises one run: surrounds the {@link Supervisor} with what it works through, from the first start to the last line. */
final class Supervision {

    /** How long processes that outlive their rank may hold its output open. */
    private static final Duration DRAIN_LIMIT = Duration.ofSeconds(2);

    private final RunTools tools;
    private final RunSettings settings;
    private final Household household;
    private final Neighbours neighbours;

    /** @param neighbours hear of each warden of the run */
    Supervision(RunTools tools, RunSettings settings, Household household, Neighbours neighbours) {
        this.tools = tools;
        this.settings = settings;
        this.household = household;
        this.neighbours = neighbours;
    }

    /** A verdict that was reached at a time on the clock of all events. */
    record Reached(Verdict verdict, long nanoTime, Map<String, LogReport> logs) {}

    /** The launcher is told to stop before anything was started. Nothing is there that steps could put away, so none is run. */
    Reached stoppedBeforeTheStart(LaunchPlan plan) throws InterruptedException {
        List<ProcessSpec> withoutSteps = plan.processes().stream()
                .filter(process -> !(process instanceof ProcessSpec.Step))
                .toList();
        Verdict verdict = verdict(
                plan.withProcesses(withoutSteps),
                listening(),
                new NothingStarted(tools.waits(settings), settings::masked));
        long now = tools.now();
        Verdict ofAll = new Verdict(
                verdict.planName(),
                verdict.cause(),
                new Roster(plan).reports(now),
                verdict.duration(),
                verdict.age(),
                verdict.job());
        return new Reached(ofAll, now, Map.of());
    }

    Reached carryOut(PreparedPlan plan, RunLogs logs) throws InterruptedException {
        OutputHub hub = openHub(logs);
        try {
            return carryOut(plan, logs, hub);
        } catch (RuntimeException | Error broken) {
            // The warden has ended all: what they printed until then is in the logs.
            drain(hub);
            throw broken;
        }
    }

    private Reached carryOut(PreparedPlan plan, RunLogs logs, OutputHub hub) throws InterruptedException {
        Events events = listening();
        ProcessLauncher launcher = new ProcessLauncher(
                tools.inherited(), household.marker(), tools.ignored(), tools.openFiles(), household.table()::ended);
        MemoryMeter memory = new MemoryMeter(Path.of("/"));
        Daemon.Watch watch =
                Daemon.watch((thread, thrown) -> events.post(new Event.Broken(thread, thrown, events.now())));
        StopDesk.Door door = DeskOwner.open(tools.desk(), tools.directory().madePath(), events);
        FaultWatch cards = settings.resets().watch(events);
        try (watch;
                door;
                cards;
                launcher;
                Household.Care care = household.care(() -> warden(plan.plan()), tools.nanoClock());
                FaultTimer faults = faultTimer(care.warden())) {
            ProcessStarts starts = starts(plan, launcher, care.warden(), hub, logs);
            RunEffects effects = effects(events, starts, care.warden(), hub, memory, faults);
            Verdict verdict = verdict(plan.plan(), events, effects).with(memory.sinceTheStart());
            long reachedAt = tools.now();
            care.isOver(DRAIN_LIMIT);
            drain(hub);
            return explained(plan, verdict, reachedAt, hub);
        }
    }

    private ProcessStarts starts(
            PreparedPlan plan, ProcessLauncher launcher, Warden warden, OutputHub hub, RunLogs logs) {
        return new ProcessStarts(
                plan,
                launcher,
                household,
                warden,
                hub,
                process -> RunEffects.stream(process, settings.prefix().apply(process), logs.directory()),
                settings.mayBeFollowed());
    }

    private RunEffects effects(
            Events events, ProcessStarts starts, Warden warden, OutputHub hub, MemoryMeter memory, FaultTimer faults) {
        return new RunEffects(
                events,
                starts,
                warden,
                household.table(),
                hub,
                tools.console(),
                tools.directory(),
                settings::masked,
                memory,
                tools.waits(settings),
                faults);
    }

    /** What signals and other launchers have said before comes first. */
    private Events listening() {
        Events events = new Events(tools.nanoClock());
        Signals signals = tools.signals();
        signals.passOn(signal ->
                events.post(new Event.SignalReceived(signal.name(), signal.number(), events.now(), signals::taken)));
        settings.others().link().listen(heard -> events.post(new Event.Told(heard, events.now())));
        return events;
    }

    private Verdict verdict(LaunchPlan plan, Events events, Effects effects) throws InterruptedException {
        StopTimes times = StopTimes.withGrace(settings.grace())
                .withTimeForPorts(settings.inputTimeout())
                .withPatience(settings.patience())
                .withCheckpointSignal(settings.checkpointSignal());
        try {
            return new Supervisor(plan, times, events, effects, settings.others(), settings.resets()).run();
        } finally {
            tools.signals().noneIsTaken();
        }
    }

    private FaultTimer faultTimer(Warden warden) {
        return new FaultTimer(
                settings.faults(),
                process -> ProcessTable.isThere(process.pid(), process.start()),
                process -> warden.signalProcesses("KILL", List.of(process)),
                tools.console()::say);
    }

    private Warden warden(LaunchPlan plan) {
        Warden warden = new Warden(
                household.marker(),
                settings.grace(),
                Forerunning.variables(plan),
                tools.directory().madePath(),
                tools.guard(),
                tools.nanoClock(),
                neighbours::guardedBy,
                tools.console()::warn);
        warden.start();
        return warden;
    }

    private OutputHub openHub(RunLogs logs) {
        try {
            return new OutputHub(tools.console(), settings.run(), settings.startedAt(), logs::reach);
        } catch (IOException noPipes) {
            throw new MusterException(
                    ExitCode.UNAVAILABLE, "cannot take the output of processes: " + noPipes.getMessage(), noPipes);
        }
    }

    private void drain(OutputHub hub) throws InterruptedException {
        List<String> held = hub.drain(DRAIN_LIMIT);
        if (!held.isEmpty()) {
            tools.console().warn(HeldOutput.warning(hub, held));
        }
    }

    /** With what the processes have said of their ends. */
    private Reached explained(PreparedPlan plan, Verdict verdict, long reachedAt, OutputHub hub) {
        Map<String, LogReport> logs = logs(hub, verdict);
        Verdict told = FailedStep.in(verdict, logs);
        return new Reached(
                withWords(told, new Inquiry(plan, settings, hub::last, hub::lastBeforeStop)), reachedAt, logs);
    }

    /** What processes have printed is any text, and an engine says how it reads: neither may cost the verdict. */
    private Verdict withWords(Verdict verdict, Inquiry inquiry) {
        try {
            return inquiry.into(verdict);
        } catch (RuntimeException | StackOverflowError unreadable) {
            tools.console()
                    .warn("the last words of the process that failed cannot be told: "
                            + unreadable.getClass().getSimpleName());
            return verdict;
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
