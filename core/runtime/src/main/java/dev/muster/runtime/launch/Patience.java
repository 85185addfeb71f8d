package dev.muster.runtime.launch;

import dev.muster.runtime.link.LinkSettings;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * How long a launcher without processes waits for the others of its job.
 *
 * @param forTheDecision how the job ended
 * @param forTheOthers who leads, until they have left
 * @param forTheLate who have not come yet, and are told that there is no job
 */
record Patience(Duration forTheDecision, Duration forTheOthers, Duration forTheLate) {

    private static final Duration SOON = Duration.ofSeconds(2);

    /** How much longer than the grace of its ranks others may take to leave. */
    private static final Duration BEYOND_THE_GRACE = Duration.ofSeconds(5);

    /** @param isFirstRun else the leader may be busy with the end of the run before for a while */
    static Patience of(@Nullable LinkSettings settings, boolean isFirstRun) {
        Duration grace = settings == null ? Duration.ZERO : settings.grace();
        Duration toLeave = grace.plus(BEYOND_THE_GRACE);
        Duration decision = isFirstRun ? SOON : SOON.plus(toLeave);
        Duration late = settings == null ? Duration.ZERO : settings.forTheLate();
        return new Patience(decision, toLeave, late.compareTo(decision) < 0 ? decision : late);
    }

    /** Waits until it is said how the job ended; who is gone says nothing. */
    LongWait decision(Runnable whenLate) {
        Duration late = forTheDecision.minus(SOON);
        return new LongWait(SOON, late, () -> false, late.isZero() ? () -> {} : whenLate);
    }

    /** Waits for those who are late; the user need not know of it at once. */
    LongWait lateness(BooleanSupplier isEnough, Runnable whenLate) {
        return new LongWait(SOON, forTheLate, isEnough, whenLate);
    }
}
