package dev.muster.runtime.supervise;

import dev.muster.runtime.errors.ExitCode;
import dev.muster.runtime.errors.MusterException;
import dev.muster.runtime.memory.MemoryMeter;
import dev.muster.runtime.output.LogReport;
import dev.muster.runtime.output.OutputHub;
import dev.muster.runtime.process.SignalNames;
import dev.muster.runtime.process.SignalScope;
import dev.muster.runtime.process.Signals;
import dev.muster.runtime.report.Verdict;
import dev.muster.runtime.threads.Daemon;
import dev.muster.spi.LaunchPlan;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Supervises one attempt: sets up and cleans up all that the {@link Supervisor} needs, from the first start to the last line. */
record Supervision(RunTools tools, RunSettings settings) {

    /** How long processes that outlive their rank may hold its output open. */
    private static final Duration DRAIN_LIMIT = Duration.ofSeconds(2);

    /** When a platform stops a job, its ranks get SIGTERM within this time of each other. */
    private static final Duration EXTERNAL_TERM = Duration.ofSeconds(2);

    /** How long, beyond the grace, the stop takes after the native supervisor was killed. */
    private static final Duration AFTER_LOSS = Duration.ofSeconds(2);

    /** The time from SIGKILL until the supervisor gives up (10 s), plus a margin. */
    private static final Duration BEYOND_GRACE = Duration.ofSeconds(12);

    PlanRun.Result carryOut(PreparedPlan plan, Optional<Path> logs) throws InterruptedException {
        OutputHub hub = openHub();
        try {
            return carryOut(plan, logs, hub);
        } catch (RuntimeException | Error broken) {
            stopAll();
            drain(hub, DRAIN_LIMIT);
            throw broken;
        } finally {
            Daemon.setHandler(Optional.empty());
            tools.events().passToNobody();
        }
    }

    private PlanRun.Result carryOut(PreparedPlan plan, Optional<Path> logs, OutputHub hub) throws InterruptedException {
        MemoryMeter memory = new MemoryMeter(Path.of("/"));
        Events events = listening();
        tools.events().passTo(events, hub);
        Daemon.setHandler(Optional.of((thread, thrown) -> events.post(new Event.Broken(thread, thrown, events.now()))));
        FaultWatch cards =
                new FaultWatch(settings.resets(), seen -> events.post(new Event.FaultsSeen(seen, events.now())));
        try (cards;
                FaultTimer faults = faultTimer()) {
            ProcessStarter starts = new ProcessStarter(plan, tools, hub, settings, logs);
            RunEffects effects = new RunEffects(tools, settings, events, starts, hub, memory, faults);
            effects.setGrace(settings.stop().grace());
            Supervisor supervisor = supervisor(plan.plan(), events, effects);
            Verdict verdict = supervisor.run().with(memory.sinceTheStart());
            long reachedAt = tools.now();
            drain(hub, supervisor.isLost() ? settings.stop().grace().plus(AFTER_LOSS) : DRAIN_LIMIT);
            return explained(plan, verdict.after(Duration.ofNanos(tools.now() - reachedAt)), hub);
        }
    }

    /** Stops all processes and waits until they have ended. */
    private void stopAll() {
        Duration grace = settings.stop().grace();
        long order = tools.supervisor().stop(Set.of(), grace, settings.stop().toAll());
        try {
            tools.events().awaitStopped(order, grace.plus(BEYOND_GRACE));
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Signals and messages that came before are delivered first. */
    private Events listening() {
        Events events = new Events(tools.nanoClock());
        Signals signals = tools.signals();
        signals.listen(signal -> events.post(new Event.SignalReceived(signal, events.now(), signals::confirmStop)));
        settings.peers().link().listen(heard -> events.post(new Event.OfPeer(heard, events.now())));
        return events;
    }

    private Supervisor supervisor(LaunchPlan plan, Events events, Effects effects) {
        StopTimes times = new StopTimes(settings.stop(), EXTERNAL_TERM, settings.inputTimeout());
        return Supervisor.of(plan, times, events, effects, settings.peers());
    }

    private FaultTimer faultTimer() {
        return new FaultTimer(
                settings.faults(),
                process -> tools.supervisor().signal(process.id(), SignalNames.KILL, SignalScope.LEADER),
                tools.console()::say);
    }

    private OutputHub openHub() {
        try {
            return new OutputHub(
                    tools.console(), settings.output().run(), settings.output().console());
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
                            + " is still held open by a process that the job has not started; what it prints from now"
                            + " on is lost");
        }
    }

    /** The result with the processes' own reasons. */
    private PlanRun.Result explained(PreparedPlan plan, Verdict verdict, OutputHub hub) {
        Map<String, LogReport> logs = hub.reports();
        verdict.processes().stream()
                .filter(process -> process.pid() == 0)
                .forEach(neverStarted -> logs.remove(neverStarted.spec().id()));
        return new PlanRun.Result(withEvidence(verdict, new EvidenceCollector(plan, settings, hub)), logs);
    }

    /** Output may be any text, and an engine defines how to read it. An error in that must not cost the verdict. */
    private Verdict withEvidence(Verdict verdict, EvidenceCollector evidence) {
        try {
            return evidence.addTo(verdict);
        } catch (RuntimeException | StackOverflowError unreadable) {
            tools.console()
                    .warn("the last words of the process that failed cannot be told: "
                            + unreadable.getClass().getSimpleName());
            return verdict;
        }
    }
}
