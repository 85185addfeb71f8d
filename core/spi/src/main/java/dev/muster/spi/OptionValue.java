package dev.muster.spi;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A value and its origin, for messages.
 *
 * @param value the text, in the form that the option demands
 * @param origin for example {@code --rank-table}, {@code MUSTER_RANK_TABLE}, {@code muster.json}, {@code default}
 * @since 0.1
 */
@Stability(stable = true)
public record OptionValue(String value, String origin) {

    private static final Pattern WORD = Pattern.compile("(?:'[^']*'|\"[^\"]*\"|\\S)+");
    private static final Pattern QUOTED = Pattern.compile("'([^']*)'|\"([^\"]*)\"");
    private static final Pattern DURATION = Pattern.compile("([0-9]{1,9})(ms|s|m|h|)");

    /**
     * The value of an option of kind {@link EngineOption.Kind#DURATION}.
     *
     * @throws IllegalArgumentException when the text has another form
     */
    public Duration duration() {
        Matcher matcher = DURATION.matcher(value);
        if (!matcher.matches()) {
            throw new IllegalArgumentException(origin + ": no duration");
        }
        long number = Long.parseLong(matcher.group(1));
        return switch (matcher.group(2)) {
            case "ms" -> Duration.ofMillis(number);
            case "m" -> Duration.ofMinutes(number);
            case "h" -> Duration.ofHours(number);
            default -> Duration.ofSeconds(number);
        };
    }

    /** The words of the value as a shell splits them: single and double quotes keep a word together. Nothing is expanded. */
    public List<String> words() {
        List<String> words = new ArrayList<>();
        Matcher matcher = WORD.matcher(value);
        while (matcher.find()) {
            words.add(QUOTED.matcher(matcher.group()).replaceAll("$1$2"));
        }
        return words;
    }

    /** Whether the value of an option of kind {@link EngineOption.Kind#SWITCH} is on. */
    public boolean isOn() {
        return value.equals("true");
    }
}
