package dev.muster.runtime.conditions;

import java.util.concurrent.TimeUnit;

/** Pauses between probes: short while a change is near, longer when nothing happens. Nanoseconds. */
final class Backoff {

    static final long SHORTEST = TimeUnit.MILLISECONDS.toNanos(20);
    static final long LONGEST = TimeUnit.MILLISECONDS.toNanos(250);

    private long next = SHORTEST;

    long next() {
        long pause = next;
        next = Math.min(LONGEST, next + next / 2);
        return pause;
    }
}
