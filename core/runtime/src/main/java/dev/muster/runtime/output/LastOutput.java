package dev.muster.runtime.output;

/**
 * What a process printed last, standard output and standard error in their order.
 *
 * @param text as it came, but for lines that were overwritten; what is no UTF-8 is replaced
 * @param isWhole whether it is all that the process ever printed
 */
public record LastOutput(String text, boolean isWhole) {

    /** Of a process that has printed nothing. */
    static final LastOutput NOTHING = new LastOutput("", true);
}
