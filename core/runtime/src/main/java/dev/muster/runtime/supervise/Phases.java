package dev.muster.runtime.supervise;

import dev.muster.spi.ProcessSpec;
import jakarta.inject.Inject;
import java.util.OptionalLong;

/** Moves an attempt from phase to phase. Only the event loop touches it. */
final class Phases {

    private final Starter starter;
    private final StepSequences steps;
    private final StopPhases stop;
    private final Decisions decisions;
    private final Ending ending;
    private final Parting parting;
    private final Events clock;
    private Phase phase = Phase.OPENING;

    @Inject
    Phases(
            Starter starter,
            StepSequences steps,
            StopPhases stop,
            Decisions decisions,
            Ending ending,
            Parting parting,
            Events clock) {
        this.starter = starter;
        this.steps = steps;
        this.stop = stop;
        this.decisions = decisions;
        this.ending = ending;
        this.parting = parting;
        this.clock = clock;
    }

    /** The steps of a plan, by when they run. */
    static final class StepSequences {

        private final StepSequence opening;
        private final StepSequence telling;
        private final StepSequence closing;

        @Inject
        StepSequences(Roster roster, Starter starter, Effects effects, Events clock) {
            opening = new StepSequence(roster.steps(ProcessSpec.Phase.PROLOG), starter, effects, clock);
            telling = new StepSequence(roster.steps(ProcessSpec.Phase.ON_STOP), starter, effects, clock);
            closing = new StepSequence(roster.steps(ProcessSpec.Phase.EPILOG), starter, effects, clock);
        }
    }

    boolean areDone() {
        return phase == Phase.DONE;
    }

    /** Whether nothing can be started or stopped any more. */
    boolean isLost() {
        return stop.isLost();
    }

    /** Decides what can be decided now, and goes on. */
    void goOn(Runnable obey) {
        decisions.goOn();
        advance(obey);
    }

    /**
     * Goes on as far as possible.
     *
     * @param obey handles what has happened meanwhile
     */
    void advance(Runnable obey) {
        Phase before;
        do {
            before = phase;
            stop.advance();
            phase = decisions.isPending() ? phase : next(obey);
        } while (phase != before);
    }

    private Phase next(Runnable obey) {
        if (isLost() && phase.compareTo(Phase.PARTING) < 0) {
            return Phase.PARTING;
        }
        return switch (phase) {
            case OPENING -> open();
            case RUNNING -> start(obey);
            case RESPITE, CHECKPOINT -> stop.leaveInPeace(phase);
            case TELLING -> !ending.isStop() || stop.isHurried() || steps.telling.advance() ? stop.endTasks() : phase;
            case ENDING_TASKS -> stop.areDone() ? Phase.CLOSING : phase;
            case CLOSING -> steps.closing.advance() ? stop.serve() : phase;
            case SERVING -> stop.serve();
            case ENDING_SERVICES -> stop.areDone() ? Phase.PARTING : phase;
            case PARTING -> parting.isOver() ? Phase.DONE : phase;
            case DONE -> phase;
        };
    }

    /** Others can be told only with what the first steps prepare; when one of these has failed, they cannot. */
    private Phase open() {
        boolean isTold = ending.isStop() && !stop.isHurried() && !steps.telling.isEmpty();
        if ((ending.isOpen() || isTold) && !steps.opening.advance()) {
            return Phase.OPENING;
        }
        return ending.isOpen() ? Phase.RUNNING : stop.leaveInPeace(phase);
    }

    private Phase start(Runnable obey) {
        starter.startReady(() -> {
                    obey.run();
                    return ending.isOpen() && !decisions.isPending();
                })
                .ifPresent(cause -> decisions.begin(cause, clock.now()));
        return ending.isOpen() ? phase : stop.leaveInPeace(phase);
    }

    /** When to go on even if nothing happens. */
    OptionalLong nextLook() {
        OptionalLong ofPhase = switch (phase) {
            case OPENING -> steps.opening.deadline();
            case RUNNING -> starter.nextLook();
            case TELLING -> steps.telling.deadline();
            case CLOSING -> steps.closing.deadline();
            case PARTING -> parting.nextLook();
            default -> OptionalLong.empty();
        };
        return earliest(ofPhase, earliest(stop.nextLook(phase), decisions.nextLook()));
    }

    static OptionalLong earliest(OptionalLong one, OptionalLong other) {
        return one.isEmpty() || (other.isPresent() && other.getAsLong() < one.getAsLong()) ? other : one;
    }
}
