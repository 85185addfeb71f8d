package dev.muster.runtime.supervise;

import dev.muster.runtime.report.Overdue;
import dev.muster.runtime.report.ProcessNames;
import dev.muster.spi.ProcessSpec;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;

/** Runs steps one after another, each until it ends or its deadline passes. Only the event loop touches it. */
final class StepSequence {

    private final List<Supervised> steps;
    private final Starter starter;
    private final Effects effects;
    private final Events clock;
    private int current;
    private OptionalLong deadline = OptionalLong.empty();

    StepSequence(List<Supervised> steps, Starter starter, Effects effects, Events clock) {
        this.steps = List.copyOf(steps);
        this.starter = starter;
        this.effects = effects;
        this.clock = clock;
    }

    boolean isEmpty() {
        return steps.isEmpty();
    }

    /** Goes on as far as possible; true when all steps have ended. */
    boolean advance() {
        while (current < steps.size()) {
            Supervised step = steps.get(current);
            if (deadline.isEmpty()) {
                deadline = OptionalLong.of(clock.now() + timeout(step));
            }
            if (step.isWaiting() && step.mayStart()) {
                starter.start(step);
            }
            if (!step.hasEnded() && clock.now() < deadline.getAsLong()) {
                return false;
            }
            if (!step.hasEnded()) {
                return overdue(step);
            }
            next();
        }
        return true;
    }

    /** When the current step is overdue. */
    OptionalLong deadline() {
        return deadline;
    }

    private boolean overdue(Supervised step) {
        if (!step.isRunning()) {
            next();
            return advance();
        }
        effects.say(ProcessNames.of(step.spec()) + " " + Overdue.deed((ProcessSpec.Hook) step.spec()) + "; killing it");
        step.becomeOverdue();
        effects.stop(Set.of(step.processId()), Set.of(), Duration.ZERO);
        deadline = OptionalLong.of(Long.MAX_VALUE);
        return false;
    }

    private void next() {
        current++;
        deadline = OptionalLong.empty();
    }

    private static long timeout(Supervised step) {
        return ((ProcessSpec.Hook) step.spec()).deadline().toNanos();
    }
}
