package dev.muster.runtime.manifest;

import dev.muster.runtime.json.Json;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Words as YAML writes them. */
final class Yaml {

    /** What every version of YAML reads as a text, also in a list between brackets. */
    private static final Pattern PLAIN = Pattern.compile("--|[0-9]+[smh]|(--?|\\./)?[A-Za-z/][A-Za-z0-9_./=@+-]*");

    /** The same where no list is around it. */
    private static final Pattern PLAIN_ALONE = Pattern.compile("[A-Za-z][A-Za-z0-9_./@-]*(:[A-Za-z0-9_./@-]++)*+");

    private static final Set<String> NOT_TEXTS = Set.of("true", "false", "yes", "no", "on", "off", "y", "n", "null");

    private Yaml() {}

    /** One of a list, read as this text: plain where that is safe, else between double quotes. */
    static String text(String text) {
        return isPlain(text, PLAIN) ? text : Json.line(text);
    }

    /** The same for what stands alone behind a key. */
    static String value(String text) {
        return isPlain(text, PLAIN_ALONE) ? text : Json.line(text);
    }

    private static boolean isPlain(String text, Pattern form) {
        return form.matcher(text).matches() && !NOT_TEXTS.contains(text.toLowerCase(Locale.ROOT));
    }

    /** The words of a container's command. Kubernetes replaces {@code $(NAME)} there, and reads {@code $$} as one. */
    static String command(List<String> words) {
        return words.stream()
                .map(word -> text(word.contains("$(") || word.contains("$$") ? word.replace("$", "$$") : word))
                .collect(Collectors.joining(", ", "[", "]"));
    }
}
