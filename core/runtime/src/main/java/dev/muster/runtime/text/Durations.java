package dev.muster.runtime.text;

import dev.muster.spi.OptionValue;
import java.time.Duration;

/** Durations as users write them: {@code 500ms}, {@code 2s}, {@code 10m}, {@code 1h}; a bare number is seconds. */
public final class Durations {

    /** What a duration looks like, for messages. */
    public static final String FORM = "500ms, 2s, 10m or 1h (a bare number is seconds)";

    private Durations() {}

    /** @throws IllegalArgumentException when the text has another form */
    public static Duration parse(String text) {
        try {
            return new OptionValue(text, "").duration();
        } catch (IllegalArgumentException otherForm) {
            throw new IllegalArgumentException(
                    "\"" + Printable.escape(text) + "\" is not a duration such as " + FORM, otherForm);
        }
    }

    /** The shortest form that {@link #parse} reads back. */
    public static String format(Duration duration) {
        long millis = duration.toMillis();
        if (millis % 1000 != 0) {
            return millis + "ms";
        }
        long seconds = millis / 1000;
        if (seconds > 0 && seconds % 3600 == 0) {
            return seconds / 3600 + "h";
        }
        return seconds > 0 && seconds % 60 == 0 ? seconds / 60 + "m" : seconds + "s";
    }
}
