package dev.muster.runtime.runs;

/**
 * How a run of the job ended, so far as it matters for another one. Launchers that were told of the same end decide the same.
 *
 * @param exitCode as the standard style has it: 128+n for signal n
 */
public record RunEnd(Kind kind, int exitCode) {

    /** What ended a run. */
    public enum Kind {
        /** A process that had been started failed. */
        FAILED,
        /** A node is gone. */
        LOST,
        /** Success, a stop of any kind, what Muster refuses, a wait that ran out. */
        OTHER
    }

    /** An end after which nothing starts again. */
    public static final RunEnd FINAL = new RunEnd(Kind.OTHER, 0);
}
