package dev.muster.runtime.supervise;

import dev.muster.spi.ProcessSpec;
import java.time.Duration;
import java.util.OptionalLong;

/**
 * The time in which nobody is signalled after a process has ended by a SIGTERM that we had not sent. Most likely the others
 * have got it as well and put things away: a program that takes a second SIGTERM for "now" would lose its checkpoint. Only the
 * event loop touches it.
 */
final class Respite {

    private final Duration length;
    private final Roster roster;
    private final Events clock;
    private OptionalLong end = OptionalLong.empty();

    Respite(Duration length, Roster roster, Events clock) {
        this.length = length;
        this.roster = roster;
        this.clock = clock;
    }

    /** @param when the process ended, on the clock of all events */
    void begin(long when) {
        end = OptionalLong.of(when + length.toNanos());
    }

    /** It has begun, is not over, and somebody runs whom it is for. */
    boolean isOn() {
        return end.isPresent()
                && clock.now() < end.getAsLong()
                && roster.all().stream().anyMatch(process -> process.isRunning() && mayPutThingsAway(process.spec()));
    }

    /** When it is over; empty when it has not begun. */
    OptionalLong end() {
        return end;
    }

    /** Steps are the engine's own, and a service that hosts ranks only carries what another process has started. */
    private static boolean mayPutThingsAway(ProcessSpec process) {
        return process instanceof ProcessSpec.Task
                || (process instanceof ProcessSpec.Service && process.hosted().isEmpty());
    }
}
