package dev.muster.runtime.report;

import dev.muster.runtime.text.Durations;
import dev.muster.spi.ProcessSpec;
import java.util.Optional;

/** A step that was killed because it took longer than its plan allows. */
public final class Overdue {

    private Overdue() {}

    /** What the step did. */
    public static String deed(ProcessSpec.Step step) {
        return "took longer than " + Durations.format(step.deadline());
    }

    /** Why such a step failed. */
    public static String reason(ProcessSpec.Step step) {
        return "it " + deed(step) + ", and was killed by this launcher";
    }

    /** Whether this is why the process failed. */
    static boolean isReasonOf(Cause.OfProcess failed) {
        return failed.process() instanceof ProcessSpec.Step step
                && failed.reason().equals(Optional.of(reason(step)));
    }
}
