package dev.muster.runtime.supervise;

import dev.muster.runtime.report.ProcessNames;
import dev.muster.spi.ProcessSpec;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;

/** Runs the hooks of a phase one after another. Each runs until it ends or its deadline passes. Only the event loop uses it. */
final class HookSequence {

    private final List<SupervisedProcess> hooks;
    private final StartScheduler starter;
    private final AttemptState state;
    private int current;
    private OptionalLong deadline = OptionalLong.empty();

    HookSequence(ProcessSpec.Phase phase, StartScheduler starter, AttemptState state) {
        this.hooks = state.processes().hooks(phase);
        this.starter = starter;
        this.state = state;
    }

    boolean isEmpty() {
        return hooks.isEmpty();
    }

    /** Goes on as far as possible; true: all hooks have ended. */
    boolean advance() {
        while (current < hooks.size()) {
            SupervisedProcess hook = hooks.get(current);
            if (deadline.isEmpty()) {
                deadline = OptionalLong.of(state.now()
                        + ((ProcessSpec.Hook) hook.spec()).deadline().toNanos());
            }
            if (hook.isWaiting() && hook.mayStart()) {
                starter.start(hook);
            }
            if (!hook.hasEnded() && state.now() < deadline.getAsLong()) {
                return false;
            }
            if (!hook.hasEnded()) {
                return killOverdue(hook);
            }
            next();
        }
        return true;
    }

    /** The deadline of the current hook. */
    OptionalLong deadline() {
        return deadline;
    }

    private boolean killOverdue(SupervisedProcess hook) {
        if (!hook.isRunning()) {
            next();
            return advance();
        }
        state.say(ProcessNames.of(hook.spec()) + " " + ProcessNames.overdue((ProcessSpec.Hook) hook.spec())
                + "; killing it");
        hook.markOverdue();
        state.effects().stop(Set.of(hook.processId()), Duration.ZERO);
        deadline = OptionalLong.of(Long.MAX_VALUE);
        return false;
    }

    private void next() {
        current++;
        deadline = OptionalLong.empty();
    }
}
