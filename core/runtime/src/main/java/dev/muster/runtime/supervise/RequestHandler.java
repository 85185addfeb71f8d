package dev.muster.runtime.supervise;

import dev.muster.runtime.process.SignalScope;
import dev.muster.runtime.process.Signals.ReceivedSignal;
import dev.muster.runtime.report.Cause;
import dev.muster.runtime.report.ProcessNames;
import dev.muster.runtime.text.Durations;
import dev.muster.spi.RankInfo;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Handles signals to the launcher, {@code muster stop} and {@code muster ps}. Only the event loop uses it. */
final class RequestHandler {

    private final AttemptState state;
    private final StopTimes times;
    private final StopCoordinator stops;
    private final StopDelays delays;
    private final OutcomeDecider decider;
    private final ExitBarrier exit;
    private int interrupts;

    RequestHandler(
            AttemptState state, StopCoordinator stops, StopDelays delays, OutcomeDecider decider, ExitBarrier exit) {
        this.state = state;
        this.times = state.times();
        this.stops = stops;
        this.delays = delays;
        this.decider = decider;
        this.exit = exit;
    }

    /** SIGUSR1 and SIGUSR2 are for the ranks; all others stop the job, and a second SIGINT ends the grace period. */
    void handleSignal(Event.SignalReceived received) {
        ReceivedSignal signal = received.signal();
        if (!signal.isStopRequest()) {
            forward(signal.number());
            return;
        }
        if (signal.name().equals("INT") && interruptDebugged(signal.number())) {
            return;
        }
        decider.resolvePending();
        OutcomeState outcome = state.outcome();
        boolean isNews = outcome.isOpen() || (outcome.isSuccess() && exit.canStopPeers());
        if (isNews || !signal.isTimeLimit()) {
            stop(received, isNews);
        }
    }

    /** @param isNews whether nothing has ended the job before */
    private void stop(Event.SignalReceived received, boolean isNews) {
        boolean isInterrupt = received.signal().name().equals("INT");
        interrupts += isInterrupt ? 1 : 0;
        exit.onSignal();
        delays.onSignal();
        if (isNews) {
            decider.end(Cause.of(received.signal()), received.nanoTime());
        } else if (isInterrupt && interrupts >= 2) {
            state.say("received SIGINT again; ending the grace period");
            stops.endGrace();
            exit.endWait();
        } else {
            state.say("received " + received.signal().title() + "; already stopping" + times.graceText());
        }
    }

    /** Passes Ctrl-C to the rank that has the terminal. False: no such rank runs. */
    private boolean interruptDebugged(int signal) {
        Optional<SupervisedProcess> debugged = state.processes().tasks().stream()
                .filter(task -> task.isRunning() && state.effects().isDebugged(task.spec()))
                .findFirst();
        debugged.ifPresent(task -> state.effects().signal(task.processId(), signal, SignalScope.GROUP));
        return debugged.isPresent();
    }

    private void forward(int signal) {
        state.processes().tasks().stream()
                .filter(SupervisedProcess::isRunning)
                .forEach(task -> state.effects().signal(task.processId(), signal, SignalScope.LEADER));
    }

    void answer(Event.Asked asked) {
        if (asked instanceof Event.GraceSet set) {
            set.grace().ifPresent(this::changeGrace);
            set.then().accept(times.grace());
        } else if (asked instanceof Event.ListAsked question) {
            question.answer().accept(list());
        } else if (asked instanceof Event.Hangs hang) {
            decider.onHang(hang);
        }
    }

    private void changeGrace(Duration grace) {
        state.say("muster stop: the grace of this stop is " + Durations.format(grace)
                + (grace.equals(times.grace()) ? "" : ", not " + Durations.format(times.grace())));
        setGrace(grace);
    }

    /** Sets the grace of this stop, or of the next one. The grace starts now, even if it is shorter than before. */
    void setGrace(Duration grace) {
        times.setGrace(grace);
        stops.restartGrace();
        delays.restartGrace();
        state.effects().setGrace(grace);
    }

    /** What {@code muster ps} shows. */
    private Map<String, Object> list() {
        Map<String, Object> list = new LinkedHashMap<>();
        list.put("state", state.outcome().isOpen() ? "running" : "stopping");
        list.put("grace", Durations.format(times.grace()));
        list.put("processes", state.processes().all().stream().map(this::entry).toList());
        return list;
    }

    private Map<String, @Nullable Object> entry(SupervisedProcess process) {
        Optional<RankInfo> placement = process.spec().placement();
        Optional<Path> log = state.effects().log(process.spec()).filter(file -> process.wasStarted());
        Map<String, @Nullable Object> entry = new LinkedHashMap<>();
        entry.put("id", process.id());
        entry.put("kind", ProcessNames.kind(process.spec()));
        entry.put("rank", placement.map(RankInfo::rank).orElse(null));
        entry.put("localRank", placement.map(RankInfo::localRank).orElse(null));
        entry.put("pid", process.wasStarted() ? process.pid() : null);
        entry.put("state", process.isWaiting() ? "waiting" : process.isRunning() ? "running" : "ended");
        entry.put("log", log.map(Path::toString).orElse(null));
        return entry;
    }
}
