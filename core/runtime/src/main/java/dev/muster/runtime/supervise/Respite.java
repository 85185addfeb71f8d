package dev.muster.runtime.supervise;

import dev.muster.runtime.report.Cause;
import dev.muster.spi.ProcessSpec;
import java.util.OptionalLong;

/**
 * The time in which nobody is signalled. After a process has ended by a SIGTERM that we had not sent, the others have most likely
 * got it as well and put things away: a program that takes a second SIGTERM for "now" would lose its checkpoint. And some runs are
 * patient when a task has failed, because the others learn of it by themselves. Only the event loop touches it.
 */
final class Respite {

    private final StopTimes times;
    private final Roster roster;
    private final Events clock;
    private OptionalLong end = OptionalLong.empty();
    private boolean isPatience;

    Respite(StopTimes times, Roster roster, Events clock) {
        this.times = times;
        this.roster = roster;
        this.clock = clock;
    }

    /**
     * Begins it, where the cause wants one.
     *
     * @param when the cause was, on the clock of all events
     */
    void begin(Cause cause, long when) {
        if (cause instanceof Cause.StoppedFromOutside) {
            end = OptionalLong.of(when + times.respite().toNanos());
        } else if (cause instanceof Cause.ProcessFailed && !times.patience().isZero()) {
            isPatience = true;
            end = OptionalLong.of(when + times.patience().toNanos());
        }
    }

    /** Who is told to stop has no patience left. */
    void signalled() {
        if (isPatience) {
            end = OptionalLong.of(clock.now());
        }
    }

    /** It has begun, is not over, and somebody runs whom it is for. */
    boolean isOn() {
        return end.isPresent()
                && clock.now() < end.getAsLong()
                && roster.all().stream().anyMatch(process -> process.isRunning() && isFor(process.spec()));
    }

    /** When it is over; empty when it has not begun. */
    OptionalLong end() {
        return end;
    }

    /** Steps are the engine's own, and a service that hosts ranks only carries what another process has started. */
    private boolean isFor(ProcessSpec process) {
        return process.fold(new ProcessSpec.Cases<>() {

            @Override
            public Boolean task(ProcessSpec.Task task) {
                return true;
            }

            @Override
            public Boolean service(ProcessSpec.Service service) {
                return service.hosted().isEmpty() && !isPatience;
            }

            @Override
            public Boolean step(ProcessSpec.Step step) {
                return false;
            }
        });
    }
}
