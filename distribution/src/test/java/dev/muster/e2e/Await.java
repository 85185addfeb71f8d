package dev.muster.e2e;

import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Waits until a condition holds, or a deadline is over. */
final class Await {

    /** Long enough for a busy machine; a passing test never waits that long. A process that nothing may wait for runs longer. */
    static final Duration LONG = Duration.ofMinutes(2);

    private static final long BETWEEN_LOOKS_MILLIS = 5;

    /** The pause between two looks, in lengths of a look. Most looks read all processes of the machine, which the tests share. */
    private static final int REST = 20;

    private static final long MOST_REST_MILLIS = 200;

    private Await() {}

    /** @param what the condition in words, for the message when it does not hold */
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
