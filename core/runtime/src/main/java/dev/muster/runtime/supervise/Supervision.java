package dev.muster.runtime.supervise;

import dev.muster.runtime.errors.ExitCode;
import dev.muster.runtime.errors.MusterException;
import dev.muster.runtime.memory.MemoryMeter;
import dev.muster.runtime.output.OutputHub;
import dev.muster.runtime.output.StreamReport;
import dev.muster.runtime.output.WaitReporter;
import dev.muster.runtime.process.ProcessSupervisor.SignalScope;
import dev.muster.runtime.process.ProcessSupervisor.StartedProcess;
import dev.muster.runtime.process.SignalNames;
import dev.muster.runtime.process.Signals;
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
import java.util.Set;

/** Supervises one run: surrounds the {@link Supervisor} with what it works through, from the first start to the last line. */
final class Supervision {

    /** How long processes that outlive their rank may hold its output open. */
    private static final Duration DRAIN_LIMIT = Duration.ofSeconds(2);

    /** Who ends processes in the supervisor's place takes some time beside their grace. */
    private static final Duration AFTER_LOSS = Duration.ofSeconds(2);

    private final RunTools tools;
    private final RunSettings settings;
    private final RunScope scope;

    Supervision(RunTools tools, RunSettings settings, RunScope scope) {
        this.tools = tools;
        this.settings = settings;
        this.scope = scope;
    }

    /** A verdict that was reached at a time on the clock of all events. */
    record Reached(Verdict verdict, long nanoTime, Map<String, LogReport> logs) {}

    /** The launcher is told to stop before anything was started. Nothing is there that steps could put away, so none is run. */
    Reached stoppedBeforeTheStart(LaunchPlan plan) throws InterruptedException {
        List<ProcessSpec> withoutSteps = plan.processes().stream()
                .filter(process -> !(process instanceof ProcessSpec.Hook))
                .toList();
        Verdict verdict = supervisor(plan.withProcesses(withoutSteps), listening(), new NothingStarted())
                .run();
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
        OutputHub hub = openHub();
        try {
            return carryOut(plan, logs, hub);
        } catch (RuntimeException | Error broken) {
            tools.orders().stopAll(settings.grace());
            drain(hub, DRAIN_LIMIT);
            throw broken;
        } finally {
            tools.events().passToNobody();
        }
    }

    private Reached carryOut(PreparedPlan plan, RunLogs logs, OutputHub hub) throws InterruptedException {
        MemoryMeter memory = new MemoryMeter(Path.of("/"));
        tools.orders().goToAll(settings.stopsAll());
        Events events = listening();
        tools.events().passTo(events);
        Daemon.Watch watch =
                Daemon.watch((thread, thrown) -> events.post(new Event.Broken(thread, thrown, events.now())));
        FaultWatch cards = settings.resets().watch(events);
        try (watch;
                cards;
                FaultTimer faults = faultTimer()) {
            RunEffects effects = new RunEffects(tools, settings, events, starts(plan, hub, logs), hub, memory, faults);
            effects.setGrace(settings.grace());
            Supervisor supervisor = supervisor(plan.plan(), events, effects);
            Verdict verdict = supervisor.run().with(memory.sinceTheStart());
            long reachedAt = tools.now();
            scope.services().belongToNobody(DRAIN_LIMIT);
            drain(hub, supervisor.isLost() ? settings.grace().plus(AFTER_LOSS) : DRAIN_LIMIT);
            return explained(plan, verdict, reachedAt, hub);
        }
    }

    private ProcessStarts starts(PreparedPlan plan, OutputHub hub, RunLogs logs) {
        return new ProcessStarts(
                plan,
                tools,
                scope,
                hub,
                process -> RunEffects.stream(process, settings.prefix().apply(process), logs.directory()),
                settings.mayBeFollowed());
    }

    /** What signals and other launchers have said before comes first. */
    private Events listening() {
        Events events = new Events(tools.nanoClock());
        Signals signals = tools.signals();
        signals.listen(signal -> events.post(new Event.SignalReceived(
                signal.name(), signal.number(), events.now(), () -> signals.taken(signal.number()))));
        settings.others().link().listen(heard -> events.post(new Event.Told(heard, events.now())));
        return events;
    }

    private Supervisor supervisor(LaunchPlan plan, Events events, Effects effects) {
        StopTimes times = StopTimes.withGrace(settings.grace())
                .withTimeForPorts(settings.inputTimeout())
                .withPatience(settings.patience())
                .withCheckpointSignal(settings.checkpointSignal());
        return Supervisor.of(plan, times, events, effects, settings.others(), settings.resets());
    }

    private FaultTimer faultTimer() {
        return new FaultTimer(
                settings.faults(),
                process -> tools.supervisor().signal(process.id(), SignalNames.KILL, SignalScope.LEADER),
                tools.console()::say);
    }

    private OutputHub openHub() {
        try {
            return new OutputHub(tools.console(), settings.run(), settings.startedAt());
        } catch (IOException noPipes) {
            throw new MusterException(
                    ExitCode.UNAVAILABLE, "cannot take the output of processes: " + noPipes.getMessage(), noPipes);
        }
    }

    private void drain(OutputHub hub, Duration limit) throws InterruptedException {
        List<String> held = hub.drain(limit);
        if (!held.isEmpty()) {
            tools.console()
                    .warn("the output of " + String.join(", ", held)
                            + " is still held open by a process that the job has not started; what it prints from now on"
                            + " is lost");
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

    /** A world with nothing in it: that of a run that was told to stop before its plan was prepared. */
    private final class NothingStarted implements Effects {

        @Override
        public StartedProcess start(ProcessSpec process) {
            throw new IllegalStateException(process.id() + " was to be started after the stop");
        }

        @Override
        public long stop(Set<Long> only, Set<Long> keep, Duration grace) {
            throw new IllegalStateException("there is nothing to stop");
        }

        @Override
        public String masked(String text) {
            return settings.masked(text);
        }

        @Override
        public void say(String line) {
            tools.console().say(line);
        }

        @Override
        public WaitReporter waits() {
            return tools.waits(settings);
        }
    }
}
