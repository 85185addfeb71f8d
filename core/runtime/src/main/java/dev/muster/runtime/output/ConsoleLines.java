package dev.muster.runtime.output;

/** The console output of one process. Only the pump thread uses it. */
interface ConsoleLines {

    /**
     * Takes what the process printed.
     *
     * @return whether a line ended
     */
    boolean accept(byte[] bytes, int count);

    /** Whether {@link #showPartial} has something to show. */
    boolean hasPartial();

    /** Whether the held text is a progress bar: it has overwritten itself, and users want to see it change. */
    boolean hasProgress();

    /** Shows the beginning of a line before its end has come. */
    void showPartial();

    /** The process prints nothing more. */
    void finish();
}
