package dev.muster.runtime.conditions;

import java.util.concurrent.TimeUnit;

/** Pauses between probes: short while a change is near, longer when nothing happens. Nanoseconds. */
final class Backoff {

    static final long SHORTEST = TimeUnit.MILLISECONDS.toNanos(20);
    static final long LONGEST = TimeUnit.MILLISECONDS.toNanos(250);

    private final long longest;
    private long next = SHORTEST;

    Backoff() {
        this(LONGEST);
    }

    Backoff(long longest) {
        this.longest = longest;
    }

    long next() {
        long pause = next;
        next = Math.min(longest, next + next / 2);
        return pause;
    }
}
