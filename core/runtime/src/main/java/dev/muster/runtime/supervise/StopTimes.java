package dev.muster.runtime.supervise;

import dev.muster.runtime.text.Durations;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

/** How long a start waits and a stop takes at most, part by part. Only the event loop touches it. */
final class StopTimes {

    private final RunSettings.StopSettings stop;
    private final Duration externalTermDelay;
    private final Duration forPorts;
    private Duration grace;
    private Optional<Duration> asked = Optional.empty();
    private OptionalLong since = OptionalLong.empty();

    /**
     * @param externalTermDelay how long processes are left alone when one of them has ended by a SIGTERM that we had not sent
     * @param forPorts for which a node may do nothing but wait for ports to open
     */
    StopTimes(RunSettings.StopSettings stop, Duration externalTermDelay, Duration forPorts) {
        this.stop = stop;
        this.grace = stop.grace();
        this.externalTermDelay = externalTermDelay;
        this.forPorts = forPorts;
    }

    Duration forPorts() {
        return forPorts;
    }

    Duration grace() {
        return grace;
    }

    /** The grace as messages have it behind what they say of a stop. */
    String graceText() {
        return " (grace " + Durations.format(grace) + ")";
    }

    /** The grace of this stop, where somebody wants another one than the launcher's own. */
    Optional<Duration> asked() {
        return asked;
    }

    /** Somebody wants another grace for this stop, or for the one that is about to begin. */
    void ask(Duration length) {
        grace = length;
        asked = Optional.of(length);
    }

    /** The grace of what is stopped from now on has begun already. */
    void countFrom(long nanoTime) {
        since = OptionalLong.of(nanoTime);
    }

    /** What is stopped from now on has the whole grace. */
    void countAnew() {
        since = OptionalLong.empty();
    }

    /** When who is stopped now is killed. */
    long end(long now) {
        return since.orElse(now) + grace.toNanos();
    }

    /** What is left of the grace for who is stopped now. */
    Duration rest(long now) {
        return Duration.ofNanos(Math.max(0, end(now) - now));
    }

    Duration externalTermDelay() {
        return externalTermDelay;
    }

    Duration patience() {
        return stop.patience();
    }

    Optional<String> checkpointSignal() {
        return stop.checkpointSignal();
    }
}
