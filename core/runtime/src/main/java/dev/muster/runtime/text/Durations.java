package dev.muster.runtime.text;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations as users write them: {@code 500ms}, {@code 2s}, {@code 10m}, {@code 1h}; a bare number is seconds. */
public final class Durations {

    /** What a duration looks like, for messages. */
    public static final String FORM = "500ms, 2s, 10m or 1h (a bare number is seconds)";

    private static final Pattern TEXT = Pattern.compile("([0-9]{1,9})(ms|s|m|h|)");

    private Durations() {}

    /** @throws IllegalArgumentException when the text has another form */
    public static Duration parse(String text) {
        Matcher matcher = TEXT.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("\"" + Printable.escape(text) + "\" is not a duration such as " + FORM);
        }
        long number = Long.parseLong(matcher.group(1));
        return switch (matcher.group(2)) {
            case "ms" -> Duration.ofMillis(number);
            case "m" -> Duration.ofMinutes(number);
            case "h" -> Duration.ofHours(number);
            default -> Duration.ofSeconds(number);
        };
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
