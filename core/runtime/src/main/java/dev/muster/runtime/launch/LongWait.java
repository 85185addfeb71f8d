package dev.muster.runtime.launch;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;

/**
 * Waits for others that may come late, which the user must know of, and may end.
 *
 * @param soon how long nobody need be told that somebody is waited for
 * @param late how much longer they may take
 * @param isEnough whether somebody does not want to wait longer than {@code soon}
 * @param whenLate tells the user
 */
record LongWait(Duration soon, Duration late, BooleanSupplier isEnough, Runnable whenLate) {

    private static final Duration LOOK = Duration.ofMillis(100);

    LongWait longerBy(Duration more) {
        return new LongWait(soon, late.plus(more), isEnough, whenLate);
    }

    /** The same, and enough as soon as this is so. */
    LongWait until(BooleanSupplier other, Duration atMost) {
        return new LongWait(Duration.ZERO, atMost, () -> isEnough.getAsBoolean() || other.getAsBoolean(), whenLate);
    }

    /** @return empty: it has not come */
    <T> Optional<T> awaits(CompletableFuture<T> future) throws InterruptedException {
        Optional<T> come = OneLink.within(soon, future);
        if (come.isEmpty() && !isEnough.getAsBoolean()) {
            whenLate.run();
        }
        Duration left = late;
        while (come.isEmpty() && left.compareTo(Duration.ZERO) > 0 && !isEnough.getAsBoolean()) {
            come = OneLink.within(LOOK, future);
            left = left.minus(LOOK);
        }
        return come;
    }
}
