package dev.muster.runtime.runs;

import java.time.Duration;

/**
 * Decides whether a run is followed by another one, and when. Pure: all launchers of a job have the same rule, and decide alike.
 *
 * @param on after which ends
 * @param firstDelay before the first restart; it doubles with each
 */
public record RestartRule(RestartOn on, Duration firstDelay) {

    /** Unless the first delay is longer. */
    private static final Duration LONGEST = Duration.ofMinutes(1);

    /** Doubled so often, a millisecond is longer than the longest delay. */
    private static final int MOST_DOUBLINGS = 16;

    /** Whether this end is one that is followed by another run, as long as there is budget. */
    boolean concerns(RunEnd end) {
        return switch (end.kind()) {
            case FAILED -> on.hasFailure(end.exitCode());
            case LOST -> on.lost();
            case OTHER -> false;
        };
    }

    /** Whether another run follows. */
    public boolean restartsAfter(RunEnd end, RunCount count) {
        return concerns(end) && count.mayRestart();
    }

    /** How long to wait before a run that is not the first. */
    public Duration delayBefore(RunCount next) {
        Duration longest = firstDelay.compareTo(LONGEST) > 0 ? firstDelay : LONGEST;
        int doublings = Math.min(Math.max(0, next.used() - 1), MOST_DOUBLINGS);
        Duration delay = firstDelay.multipliedBy(1L << doublings);
        return delay.compareTo(longest) > 0 ? longest : delay;
    }
}
