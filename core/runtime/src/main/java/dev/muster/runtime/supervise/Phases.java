package dev.muster.runtime.supervise;

import dev.muster.runtime.report.Verdict;
import dev.muster.spi.ProcessSpec;
import java.util.OptionalLong;
import java.util.stream.LongStream;

/** Moves an attempt from phase to phase. Only the event loop uses it. */
final class Phases {

    private final StartScheduler starter;
    private final StopCoordinator stops;
    private final StopDelays delays;
    private final OutcomeDecider decider;
    private final ExitBarrier exit;
    private final AttemptState state;
    private final HookSequence prologs;
    private final HookSequence onStop;
    private final HookSequence epilogs;
    private Phase phase = Phase.PROLOG;

    Phases(
            AttemptState state,
            StartScheduler starter,
            StopCoordinator stops,
            StopDelays delays,
            OutcomeDecider decider,
            ExitBarrier exit) {
        this.state = state;
        this.starter = starter;
        this.stops = stops;
        this.delays = delays;
        this.decider = decider;
        this.exit = exit;
        prologs = new HookSequence(ProcessSpec.Phase.PROLOG, starter, state);
        onStop = new HookSequence(ProcessSpec.Phase.ON_STOP, starter, state);
        epilogs = new HookSequence(ProcessSpec.Phase.EPILOG, starter, state);
    }

    boolean isDone() {
        return phase == Phase.DONE;
    }

    Verdict verdict() {
        return exit.verdict();
    }

    void goOn(Runnable handleEvents) {
        decider.decide();
        advance(handleEvents);
    }

    /**
     * Goes on as far as possible.
     *
     * @param handleEvents handles the events that came meanwhile
     */
    void advance(Runnable handleEvents) {
        Phase before;
        do {
            before = phase;
            stops.advance();
            phase = decider.isPending() ? phase : next(handleEvents);
        } while (phase != before);
    }

    private Phase next(Runnable handleEvents) {
        if (stops.isLost() && phase.compareTo(Phase.EXIT_BARRIER) < 0) {
            return Phase.EXIT_BARRIER;
        }
        return switch (phase) {
            case PROLOG -> prepare();
            case RUNNING -> start(handleEvents);
            case EXTERNAL_TERM, SUSPECT, CHECKPOINT -> beginStop();
            case ON_STOP -> !state.outcome().isStop() || stops.isGraceEnded() || onStop.advance() ? endTasks() : phase;
            case ENDING_TASKS -> stops.isDone() ? Phase.EPILOG : phase;
            case EPILOG -> epilogs.advance() ? serve() : phase;
            case SERVING -> serve();
            case ENDING_SERVICES -> stops.isDone() ? Phase.EXIT_BARRIER : phase;
            case EXIT_BARRIER -> exit.isOver() ? Phase.DONE : phase;
            case DONE -> phase;
        };
    }

    /** Prologs run before a stop too if there are hooks for the stop, which need what prologs prepare. */
    private Phase prepare() {
        boolean isTold = state.outcome().isStop() && !stops.isGraceEnded() && !onStop.isEmpty();
        if ((state.outcome().isOpen() || isTold) && !prologs.advance()) {
            return phase;
        }
        return state.outcome().isOpen() ? Phase.RUNNING : beginStop();
    }

    private Phase start(Runnable handleEvents) {
        starter.startReady(() -> {
                    handleEvents.run();
                    return state.outcome().isOpen() && !decider.isPending();
                })
                .ifPresent(cause -> decider.end(cause, state.now()));
        return state.outcome().isOpen() ? phase : beginStop();
    }

    /** Tasks are stopped already while the hooks of the stop run. */
    private Phase beginStop() {
        if (delays.isForExternalTerm()) {
            return Phase.EXTERNAL_TERM;
        }
        if (delays.isForSuspect(decider.isSearching())) {
            return Phase.SUSPECT;
        }
        if (delays.runCheckpoint()) {
            return Phase.CHECKPOINT;
        }
        stops.stopTasks();
        return Phase.ON_STOP;
    }

    private Phase endTasks() {
        stops.stopHooks();
        return Phase.ENDING_TASKS;
    }

    private Phase serve() {
        if (delays.isForPeers()) {
            return Phase.SERVING;
        }
        stops.stopRest();
        return Phase.ENDING_SERVICES;
    }

    /** When to go on if no event comes. */
    OptionalLong nextCheck() {
        OptionalLong ofPhase = switch (phase) {
            case PROLOG -> prologs.deadline();
            case RUNNING -> starter.progress().nextCheck();
            case EXTERNAL_TERM, SUSPECT, CHECKPOINT, SERVING -> delays.nextCheck(phase);
            case ON_STOP -> onStop.deadline();
            case EPILOG -> epilogs.deadline();
            case EXIT_BARRIER -> exit.nextCheck();
            default -> OptionalLong.empty();
        };
        return LongStream.concat(ofPhase.stream(), decider.nextCheck().stream()).min();
    }
}
