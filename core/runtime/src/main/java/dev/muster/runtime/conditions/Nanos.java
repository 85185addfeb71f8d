package dev.muster.runtime.conditions;

import java.time.Duration;

/** Durations on a clock of nanoseconds. */
final class Nanos {

    /** A hundred years and more; twice as much still fits, so that it can be added to any time. */
    private static final Duration LONGEST = Duration.ofNanos(Long.MAX_VALUE / 2);

    /** So long that it never is over. */
    static final long FOREVER = LONGEST.toNanos();

    private Nanos() {}

    /** The nanoseconds; of a duration that outlasts every run, as many as can be counted with. */
    static long of(Duration duration) {
        return duration.compareTo(LONGEST) > 0 ? FOREVER : duration.toNanos();
    }
}
