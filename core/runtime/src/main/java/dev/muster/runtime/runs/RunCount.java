package dev.muster.runtime.runs;

import java.time.Duration;
import java.util.Map;

/**
 * Which run of a job this is. A run is what happens between the start of a job's processes and their end; a job that may restart
 * in place has several of them under one launcher.
 *
 * @param run its number in this start of the job, from 1
 * @param limit how many restarts the job may have in all
 */
public record RunCount(int run, int limit) {

    /** The variable in which ranks read the number of their run, where there may be several. */
    public static final String VARIABLE = "MUSTER_RUN";

    private static final Duration LONGEST_DELAY = Duration.ofMinutes(1);
    /** Then the delay is the longest. */
    private static final int MOST_DOUBLINGS = 6;

    /** The first run of a start. */
    public static RunCount first(int limit) {
        return new RunCount(1, limit);
    }

    /** How many there have been before this run. */
    public int restarts() {
        return run - 1;
    }

    /** The variables that tell the job's processes; none where there are no restarts. */
    public Map<String, String> variables() {
        // The last two are what scripts for torchrun ask for.
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

    /** Whether another run may follow a failure of this one. */
    public boolean mayRestart() {
        return restarts() < limit;
    }

    /** How long to wait before this run, which is not the first: a second, and twice as long before each other one. */
    public Duration delay() {
        Duration delay = Duration.ofSeconds(1L << Math.min(Math.max(0, restarts() - 1), MOST_DOUBLINGS));
        return delay.compareTo(LONGEST_DELAY) > 0 ? LONGEST_DELAY : delay;
    }

    /** The run after a failure of this one. */
    public RunCount next() {
        return new RunCount(run + 1, limit);
    }
}
