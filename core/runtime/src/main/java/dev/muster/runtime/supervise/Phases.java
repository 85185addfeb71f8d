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

    boolean areDone() {
        return phase == Phase.DONE;
    }

    Verdict verdict() {
        return exit.verdict();
    }

    void goOn(Runnable obey) {
        decider.goOn();
        advance(obey);
    }

    /**
     * Goes on as far as possible.
     *
     * @param obey handles the events that came meanwhile
     */
    void advance(Runnable obey) {
        Phase before;
        do {
            before = phase;
            stops.advance();
            phase = decider.isPending() ? phase : next(obey);
        } while (phase != before);
    }

    private Phase next(Runnable obey) {
        if (stops.isLost() && phase.compareTo(Phase.EXIT_BARRIER) < 0) {
            return Phase.EXIT_BARRIER;
        }
        return switch (phase) {
            case PROLOG -> prepare();
            case RUNNING -> start(obey);
            case EXTERNAL_TERM, SUSPECT, CHECKPOINT -> beginStop();
            case ON_STOP -> !state.outcome().isStop() || stops.isHurried() || onStop.advance() ? endTasks() : phase;
            case ENDING_TASKS -> stops.areDone() ? Phase.EPILOG : phase;
            case EPILOG -> epilogs.advance() ? serve() : phase;
            case SERVING -> serve();
            case ENDING_SERVICES -> stops.areDone() ? Phase.EXIT_BARRIER : phase;
            case EXIT_BARRIER -> exit.isOver() ? Phase.DONE : phase;
            case DONE -> phase;
        };
    }

    /** Prologs run before a stop too if there are hooks for the stop, which need what prologs prepare. */
    private Phase prepare() {
        boolean isTold = state.outcome().isStop() && !stops.isHurried() && !onStop.isEmpty();
        if ((state.outcome().isOpen() || isTold) && !prologs.advance()) {
            return phase;
        }
        return state.outcome().isOpen() ? Phase.RUNNING : beginStop();
    }

    private Phase start(Runnable obey) {
        starter.startReady(() -> {
                    obey.run();
                    return state.outcome().isOpen() && !decider.isPending();
                })
                .ifPresent(cause -> decider.begin(cause, state.now()));
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
        if (delays.isForCheckpoint()) {
            return Phase.CHECKPOINT;
        }
        stops.beginTasks();
        return Phase.ON_STOP;
    }

    private Phase endTasks() {
        stops.beginHooks();
        return Phase.ENDING_TASKS;
    }

    private Phase serve() {
        if (delays.isForPeers()) {
            return Phase.SERVING;
        }
        stops.beginServices();
        return Phase.ENDING_SERVICES;
    }

    /** When to go on if no event comes. */
    OptionalLong nextLook() {
        OptionalLong ofPhase = switch (phase) {
            case PROLOG -> prologs.deadline();
            case RUNNING -> starter.progress().nextLook();
            case EXTERNAL_TERM, SUSPECT, CHECKPOINT, SERVING -> delays.nextLook(phase);
            case ON_STOP -> onStop.deadline();
            case EPILOG -> epilogs.deadline();
            case EXIT_BARRIER -> exit.nextLook();
            default -> OptionalLong.empty();
        };
        return LongStream.concat(ofPhase.stream(), decider.nextLook().stream()).min();
    }
}
