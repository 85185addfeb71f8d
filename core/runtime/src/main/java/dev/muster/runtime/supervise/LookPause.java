package dev.muster.runtime.supervise;

import java.time.Duration;

/** The pauses between looks at what is being stopped, in nanoseconds: most is gone soon, and the rest need not be looked for as often. */
final class LookPause {

    static final long FIRST = Duration.ofMillis(10).toNanos();

    private static final long LONGEST = Duration.ofMillis(100).toNanos();

    private long length = FIRST;

    /** How long the next one lasts: each is twice as long as the one before. */
    long next() {
        long next = length;
        length = Math.min(2 * length, LONGEST);
        return next;
    }
}
