package dev.muster.e2e;

import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Waits for things, never longer than until a deadline. */
final class Await {

    /** Long enough for a busy machine; a test that passes never waits that long. */
    static final Duration LONG = Duration.ofSeconds(30);

    private static final long BETWEEN_LOOKS_MILLIS = 5;

    private Await() {}

    /** @param what must come true, for the message when it does not */
    static void until(String what, BooleanSupplier condition) {
        until(LONG, () -> what, condition);
    }

    static void until(Duration limit, Supplier<String> what, BooleanSupplier condition) {
        if (!holdsWithin(limit, condition)) {
            throw new AssertionError("did not come true within " + limit.toMillis() + " ms: " + what.get());
        }
    }

    static boolean holdsWithin(Duration limit, BooleanSupplier condition) {
        long deadline = System.nanoTime() + limit.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - deadline > 0) {
                return false;
            }
            lookAgainSoon();
        }
        return true;
    }

    private static void lookAgainSoon() {
        try {
            Thread.sleep(BETWEEN_LOOKS_MILLIS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting", interrupted);
        }
    }
}
