package dev.muster.runtime.supervise;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

/** How long a start waits and a stop takes at most, part by part. Only the event loop touches it. */
final class StopTimes {

    /** Ranks of a job that is being stopped get their SIGTERM within this of each other. */
    private static final Duration RESPITE = Duration.ofSeconds(2);

    private static final Duration NO_LIMIT = Duration.ofDays(36_500);

    private final Duration forPorts;
    private final Duration respite;
    private final Duration patience;
    private final Optional<String> checkpointSignal;
    private Duration grace;
    private Optional<Duration> asked = Optional.empty();
    private OptionalLong since = OptionalLong.empty();

    /**
     * @param grace between TERM and KILL
     * @param respite how long processes are left alone when one of them has ended by a SIGTERM that we had not sent
     * @param patience how long tasks may end by themselves when one of them has failed
     */
    StopTimes(Duration grace, Duration respite, Duration patience) {
        this(NO_LIMIT, grace, respite, patience, Optional.empty());
    }

    private StopTimes(
            Duration forPorts, Duration grace, Duration respite, Duration patience, Optional<String> checkpointSignal) {
        this.forPorts = forPorts;
        this.grace = grace;
        this.respite = respite;
        this.patience = patience;
        this.checkpointSignal = checkpointSignal;
    }

    /** @param grace the job's */
    static StopTimes withGrace(Duration grace) {
        return new StopTimes(grace, RESPITE, Duration.ZERO);
    }

    StopTimes withPatience(Duration length) {
        return new StopTimes(forPorts, grace, respite, length, checkpointSignal);
    }

    /** @param length for which a node may do nothing but wait for ports to open */
    StopTimes withTimeForPorts(Duration length) {
        return new StopTimes(length, grace, respite, patience, checkpointSignal);
    }

    /** @param name of the signal that ranks get first, without SIG; empty: they get TERM at once */
    StopTimes withCheckpointSignal(Optional<String> name) {
        return new StopTimes(forPorts, grace, respite, patience, name);
    }

    Duration forPorts() {
        return forPorts;
    }

    Duration grace() {
        return grace;
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

    Duration respite() {
        return respite;
    }

    Duration patience() {
        return patience;
    }

    Optional<String> checkpointSignal() {
        return checkpointSignal;
    }
}
