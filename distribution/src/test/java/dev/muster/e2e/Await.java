package dev.muster.e2e;

import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Waits for things, never longer than until a deadline. */
final class Await {

    /** Long enough for a busy machine; a test that passes never waits that long. What must not be waited for takes longer. */
    static final Duration LONG = Duration.ofMinutes(2);

    private static final long BETWEEN_LOOKS_MILLIS = 5;

    /** Between looks passes at least so many times what one takes: most look at all processes of the machine, which tests share. */
    private static final int REST = 20;

    private static final long MOST_REST_MILLIS = 200;

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
        long begin = System.nanoTime();
        while (!condition.getAsBoolean()) {
            long end = System.nanoTime();
            if (end - deadline > 0) {
                return false;
            }
            rest(Duration.ofNanos(end - begin).toMillis() * REST);
            begin = System.nanoTime();
        }
        return true;
    }

    private static void rest(long millis) {
        try {
            Thread.sleep(Math.max(BETWEEN_LOOKS_MILLIS, Math.min(MOST_REST_MILLIS, millis)));
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting", interrupted);
        }
    }
}
