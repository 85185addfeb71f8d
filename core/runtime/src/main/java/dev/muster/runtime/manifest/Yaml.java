package dev.muster.runtime.manifest;

import dev.muster.runtime.json.Json;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Writes words in YAML. */
final class Yaml {

    /** What every version of YAML reads as text, also in a list in brackets. */
    private static final Pattern PLAIN = Pattern.compile("--|[0-9]+[smh]|(--?|\\./)?[A-Za-z/][A-Za-z0-9_./=@+-]*");

    /** The same outside a list. */
    private static final Pattern PLAIN_ALONE = Pattern.compile("[A-Za-z][A-Za-z0-9_./@-]*(:[A-Za-z0-9_./@-]++)*+");

    private static final Set<String> NOT_TEXTS = Set.of("true", "false", "yes", "no", "on", "off", "y", "n", "null");

    private Yaml() {}

    /** A list element that reads as this text: plain if that is safe, else in double quotes. */
    static String text(String text) {
        return isPlain(text, PLAIN) ? text : Json.line(text);
    }

    /** The same for a value behind a key. */
    static String value(String text) {
        return isPlain(text, PLAIN_ALONE) ? text : Json.line(text);
    }

    private static boolean isPlain(String text, Pattern form) {
        return form.matcher(text).matches() && !NOT_TEXTS.contains(text.toLowerCase(Locale.ROOT));
    }

    /** The words of a container's command. Kubernetes replaces {@code $(NAME)} there, and reads {@code $$} as one dollar sign. */
    static String command(List<String> words) {
        return words.stream()
                .map(word -> text(word.contains("$(") || word.contains("$$") ? word.replace("$", "$$") : word))
                .collect(Collectors.joining(", ", "[", "]"));
    }
}
