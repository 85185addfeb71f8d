package dev.muster.runtime.process;

import dev.muster.runtime.files.RandomText;

/**
 * A variable that marks every process of a run. Launchers recognise processes of a run by it.
 *
 * @param value 128 random bits in hexadecimal
 */
public record RunMarker(String value) {

    /** The variable's name. A launcher inside a rank gives its own ranks a marker of their own. */
    public static final String VARIABLE = "MUSTER_JOB";

    private static final int BYTES = 16;

    /** A new one. */
    public static RunMarker random() {
        return new RunMarker(RandomText.hexadecimal(BYTES));
    }
}
