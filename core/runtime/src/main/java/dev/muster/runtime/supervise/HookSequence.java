package dev.muster.runtime.supervise;

import dev.muster.runtime.report.ProcessNames;
import dev.muster.spi.ProcessSpec;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;

/** Runs the hooks of a phase one after another. Each runs until it ends or its deadline passes. Only the event loop uses it. */
final class HookSequence {

    private final List<SupervisedProcess> steps;
    private final StartScheduler starter;
    private final AttemptState state;
    private int current;
    private OptionalLong deadline = OptionalLong.empty();

    HookSequence(ProcessSpec.Phase phase, StartScheduler starter, AttemptState state) {
        this.steps = state.processes().steps(phase);
        this.starter = starter;
        this.state = state;
    }

    boolean isEmpty() {
        return steps.isEmpty();
    }

    /** Goes on as far as possible; true: all hooks have ended. */
    boolean advance() {
        while (current < steps.size()) {
            SupervisedProcess step = steps.get(current);
            if (deadline.isEmpty()) {
                deadline = OptionalLong.of(state.now()
                        + ((ProcessSpec.Hook) step.spec()).deadline().toNanos());
            }
            if (step.isWaiting() && step.mayStart()) {
                starter.start(step);
            }
            if (!step.hasEnded() && state.now() < deadline.getAsLong()) {
                return false;
            }
            if (!step.hasEnded()) {
                return overdue(step);
            }
            next();
        }
        return true;
    }

    /** The deadline of the current hook. */
    OptionalLong deadline() {
        return deadline;
    }

    private boolean overdue(SupervisedProcess step) {
        if (!step.isRunning()) {
            next();
            return advance();
        }
        state.say(ProcessNames.of(step.spec()) + " " + ProcessNames.overdue((ProcessSpec.Hook) step.spec())
                + "; killing it");
        step.becomeOverdue();
        state.effects().stop(Set.of(step.processId()), Duration.ZERO);
        deadline = OptionalLong.of(Long.MAX_VALUE);
        return false;
    }

    private void next() {
        current++;
        deadline = OptionalLong.empty();
    }
}
