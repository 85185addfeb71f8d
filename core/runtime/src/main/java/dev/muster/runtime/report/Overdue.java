package dev.muster.runtime.report;

import dev.muster.runtime.text.Durations;
import dev.muster.spi.ProcessSpec;

/** A step that was killed because it took longer than its plan allows. */
public final class Overdue {

    private Overdue() {}

    /** What the step did. */
    public static String deed(ProcessSpec.Hook step) {
        return "took longer than " + Durations.format(step.deadline());
    }

    /** Why such a step failed. */
    static String reason(ProcessSpec.Hook step) {
        return "it " + deed(step) + ", and was killed by this launcher";
    }
}
