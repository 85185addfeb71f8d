package dev.muster.runtime.text;

import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Words as a user would type them into a shell. */
public final class ShellWords {

    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_./:=@%+,-]+");

    private ShellWords() {}

    /** A line that any POSIX shell takes apart into these words. */
    public static String line(List<String> words) {
        return words.stream().map(ShellWords::word).collect(Collectors.joining(" "));
    }

    /** One word, in single quotes where it needs them. */
    public static String word(String word) {
        return PLAIN.matcher(word).matches() ? word : "'" + word.replace("'", "'\\''") + "'";
    }
}
