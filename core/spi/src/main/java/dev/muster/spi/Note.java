package dev.muster.spi;

/**
 * A line for the user.
 *
 * @since 0.1
 */
public record Note(Level level, String text) {

    /** How loud the line is. */
    public enum Level {
        INFO,
        WARNING
    }

    public static Note info(String text) {
        return new Note(Level.INFO, text);
    }

    public static Note warning(String text) {
        return new Note(Level.WARNING, text);
    }
}
