package dev.muster.runtime.runs;

import java.time.Duration;
import java.util.Map;

/**
 * Counts the attempts of a job. An attempt is the time from the start of a job's processes to their end. A job that may restart in place
 * has several attempts under one launcher.
 *
 * @param run number of the attempt since the launcher's start, from 1
 * @param limit the most restarts of the job
 */
public record RunCount(int run, int limit) {

    /** The variable that tells ranks the number of their attempt, if restarts are allowed. */
    public static final String VARIABLE = "MUSTER_RUN";

    private static final Duration LONGEST_DELAY = Duration.ofMinutes(1);
    /** After so many doublings the delay has its maximum. */
    private static final int MOST_DOUBLINGS = 6;

    /** The first attempt. */
    public static RunCount first(int limit) {
        return new RunCount(1, limit);
    }

    /** The number of restarts before this attempt. */
    public int restarts() {
        return run - 1;
    }

    /** The variables for the job's processes; none without restarts. */
    public Map<String, String> variables() {
        // Scripts for torchrun read the last two.
        return limit == 0
                ? Map.of()
                : Map.of(
                        VARIABLE,
                        Integer.toString(run),
                        "TORCHELASTIC_RESTART_COUNT",
                        Integer.toString(restarts()),
                        "TORCHELASTIC_MAX_RESTARTS",
                        Integer.toString(limit));
    }

    /** Whether a restart may follow a failure of this attempt. */
    public boolean mayRestart() {
        return restarts() < limit;
    }

    /** The delay before this attempt, which is not the first: one second, doubled for each further restart. */
    public Duration delay() {
        Duration delay = Duration.ofSeconds(1L << Math.min(Math.max(0, restarts() - 1), MOST_DOUBLINGS));
        return delay.compareTo(LONGEST_DELAY) > 0 ? LONGEST_DELAY : delay;
    }

    /** The attempt after a failure of this one. */
    public RunCount next() {
        return new RunCount(run + 1, limit);
    }
}
