package dev.muster.runtime.text;

import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Quotes words so that a shell reads them back byte for byte. It masks and escapes nothing: {@code plan} does that for display. */
public final class ShellQuotes {

    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_./:=@%+,-]+");

    private ShellQuotes() {}

    /** A line that any POSIX shell splits into these words. */
    public static String line(List<String> words) {
        return words.stream().map(ShellQuotes::word).collect(Collectors.joining(" "));
    }

    /** One word, in single quotes where it needs them. */
    public static String word(String word) {
        return PLAIN.matcher(word).matches() ? word : quoted(word);
    }

    /** One word, always in single quotes. */
    public static String quoted(String word) {
        return "'" + word.replace("'", "'\\''") + "'";
    }
}
