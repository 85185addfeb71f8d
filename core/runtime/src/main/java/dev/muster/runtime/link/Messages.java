package dev.muster.runtime.link;

import dev.muster.runtime.json.Json;
import dev.muster.runtime.text.Printable;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Converts messages between launchers to JSON objects: the fields of the record, and {@code is}, the name of the record. */
final class Messages {

    private static final String IS = "is";

    /** In characters; longer texts are cut. */
    private static final int LONGEST_TEXT = 2048;

    private Messages() {}

    static Map<String, Object> write(Object message) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put(IS, name(message.getClass()));
        fields.putAll(Json.withTexts(Json.toMap(message), Messages::cut));
        return fields;
    }

    /**
     * Reads a message; its texts are safe to print on a terminal.
     *
     * @param kinds a sealed interface of records
     * @return empty: this version does not know or cannot read it
     */
    static <T> Optional<T> read(Map<String, Object> fields, Class<T> kinds) {
        for (Class<?> kind : kinds.getPermittedSubclasses()) {
            if (name(kind).equals(fields.get(IS))) {
                try {
                    return Optional.of(kinds.cast(Json.toRecord(Json.withTexts(fields, Messages::shown), kind)));
                } catch (IllegalArgumentException unfit) {
                    return Optional.empty();
                }
            }
        }
        return Optional.empty();
    }

    private static String name(Class<?> kind) {
        String name = kind.getSimpleName();
        return name.substring(0, 1).toLowerCase(Locale.ROOT) + name.substring(1);
    }

    private static String shown(String text) {
        return Printable.escape(cut(text));
    }

    private static String cut(String text) {
        return text.length() > LONGEST_TEXT ? text.substring(0, LONGEST_TEXT - 3) + "..." : text;
    }
}
