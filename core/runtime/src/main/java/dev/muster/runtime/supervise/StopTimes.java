package dev.muster.runtime.supervise;

import dev.muster.runtime.text.Durations;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

/** The time limits of starts and stops. Only the event loop uses it. */
final class StopTimes {

    private final RunSettings.StopSettings stop;
    private final Duration externalTermDelay;
    private final Duration portTimeout;
    private Duration grace;
    private Optional<Duration> requestedGrace = Optional.empty();
    private OptionalLong since = OptionalLong.empty();

    /**
     * @param externalTermDelay how long to wait after a process ended by a SIGTERM that Muster did not send
     * @param forPorts how long a node may do nothing but wait for ports to open
     */
    StopTimes(RunSettings.StopSettings stop, Duration externalTermDelay, Duration forPorts) {
        this.stop = stop;
        this.grace = stop.grace();
        this.externalTermDelay = externalTermDelay;
        this.portTimeout = forPorts;
    }

    Duration portTimeout() {
        return portTimeout;
    }

    Duration grace() {
        return grace;
    }

    /** The grace as it stands at the end of messages. */
    String graceText() {
        return " (grace " + Durations.format(grace) + ")";
    }

    /** The grace that the user asked for in this stop, if any. */
    Optional<Duration> requestedGrace() {
        return requestedGrace;
    }

    /** The user asks for another grace, for this stop or the next one. */
    void setGrace(Duration length) {
        grace = length;
        requestedGrace = Optional.of(length);
    }

    /** The grace of later stop orders has started at this time. */
    void startGrace(long nanoTime) {
        since = OptionalLong.of(nanoTime);
    }

    /** Later stop orders get the whole grace. */
    void resetGrace() {
        since = OptionalLong.empty();
    }

    /** When processes that are stopped now get SIGKILL. */
    long killTime(long now) {
        return since.orElse(now) + grace.toNanos();
    }

    /** The rest of the grace for processes that are stopped now. */
    Duration graceLeft(long now) {
        return Duration.ofNanos(Math.max(0, killTime(now) - now));
    }

    Duration externalTermDelay() {
        return externalTermDelay;
    }

    Duration endDelay() {
        return stop.endDelay();
    }

    Optional<String> checkpointSignal() {
        return stop.checkpointSignal();
    }
}
