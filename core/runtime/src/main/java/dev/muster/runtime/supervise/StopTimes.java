package dev.muster.runtime.supervise;

import java.time.Duration;

/**
 * How long a stop takes at most, part by part.
 *
 * @param grace between TERM and KILL
 * @param respite how long processes are left alone when one of them has ended by a SIGTERM that we had not sent
 * @param patience how long tasks may end by themselves when one of them has failed
 */
record StopTimes(Duration grace, Duration respite, Duration patience) {

    /** Ranks of a job that is being stopped get their SIGTERM within this of each other. */
    private static final Duration RESPITE = Duration.ofSeconds(2);

    /** @param grace the job's */
    static StopTimes withGrace(Duration grace) {
        return new StopTimes(grace, RESPITE, Duration.ZERO);
    }

    StopTimes withPatience(Duration length) {
        return new StopTimes(grace, respite, length);
    }
}
