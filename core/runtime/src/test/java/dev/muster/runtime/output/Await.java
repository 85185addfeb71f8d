package dev.muster.runtime.output;

import java.time.Duration;
import java.util.concurrent.Callable;

/** Waits until a condition is true. */
final class Await {

    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final long LOOK_INTERVAL_MILLIS = 2;

    private Await() {}

    /** @throws AssertionError when the condition is not true within 60 s */
    static void until(String what, Callable<Boolean> condition) throws Exception {
        long deadline = System.nanoTime() + LIMIT.toNanos();
        while (!condition.call()) {
            if (System.nanoTime() > deadline) {
                throw new AssertionError("waited " + LIMIT.toSeconds() + " s in vain until " + what);
            }
            Thread.sleep(LOOK_INTERVAL_MILLIS);
        }
    }
}
