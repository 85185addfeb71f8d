package dev.muster.spi;

/**
 * A line for the user.
 *
 * @param isWarning whether something may be wrong
 * @since 0.1
 */
@Stability(stable = true)
public record Note(boolean isWarning, String text) {

    public static Note info(String text) {
        return new Note(false, text);
    }

    public static Note warning(String text) {
        return new Note(true, text);
    }
}
