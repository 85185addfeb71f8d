package dev.muster.runtime.text;

import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Words that a shell reads back byte for byte. Nothing is masked or escaped: what is only shown to people is {@code plan}'s matter. */
public final class ShellQuotes {

    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_./:=@%+,-]+");

    private ShellQuotes() {}

    /** A line that any POSIX shell takes apart into these words. */
    public static String line(List<String> words) {
        return words.stream().map(ShellQuotes::word).collect(Collectors.joining(" "));
    }

    /** One word, in single quotes where it needs them. */
    public static String word(String word) {
        return PLAIN.matcher(word).matches() ? word : quoted(word);
    }

    /** One word, in single quotes in any case. */
    public static String quoted(String word) {
        return "'" + word.replace("'", "'\\''") + "'";
    }
}
