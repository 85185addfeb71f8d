package dev.muster.runtime.output;

/** What the console gets of one process. Only the pump thread touches it. */
interface ConsoleLines {

    /**
     * Takes what the process printed.
     *
     * @return whether a line ended
     */
    boolean accept(byte[] bytes, int count);

    /** Whether {@link #showPartial} has something to show. */
    boolean holds();

    /** Whether what is held has overwritten itself: it is meant to be seen while it changes. */
    boolean holdsProgress();

    /** Shows the beginning of a line whose end does not come. */
    void showPartial();

    /** There is no more to come. */
    void finish();
}
