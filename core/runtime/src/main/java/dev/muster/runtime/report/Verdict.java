package dev.muster.runtime.report;

import java.time.Duration;
import java.util.List;

/**
 * How the run of a plan ended.
 *
 * @param cause what ended it; the first failure in time
 * @param processes in the order of the plan
 * @param duration from the first start to the end of the last process
 */
public record Verdict(Cause cause, List<ProcessReport> processes, Duration duration) {

    public Verdict {
        processes = List.copyOf(processes);
    }
}
