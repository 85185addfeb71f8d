package dev.muster.runtime.manifest;

import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A text with placeholders: <code>${NAME}</code> stands for a value. A line that ends with <code> #if WORD</code> is kept only if the
 * word is set; one with <code> #if !WORD</code> only if it is not.
 */
record Template(String text) {

    private static final Pattern CONDITION = Pattern.compile(" #if (!?)([a-z-]+)$");
    private static final Pattern BLANK = Pattern.compile("\\$\\{([A-Z_]+)}");

    /**
     * @param values of the placeholders
     * @param words that are set
     * @throws NullPointerException a placeholder has no value
     */
    String fill(Map<String, String> values, Set<String> words) {
        StringBuilder filled = new StringBuilder();
        text.lines()
                .forEach(line -> kept(line, words)
                        .ifPresent(kept -> filled.append(BLANK.matcher(kept)
                                        .replaceAll(blank -> Matcher.quoteReplacement(value(blank.group(1), values))))
                                .append('\n')));
        return filled.toString();
    }

    private static Optional<String> kept(String line, Set<String> words) {
        Matcher condition = CONDITION.matcher(line);
        if (!condition.find()) {
            return Optional.of(line);
        }
        boolean wanted = condition.group(1).isEmpty();
        return words.contains(condition.group(2)) == wanted
                ? Optional.of(line.substring(0, condition.start()))
                : Optional.empty();
    }

    private static String value(String blank, Map<String, String> values) {
        return Objects.requireNonNull(values.get(blank), blank);
    }
}
