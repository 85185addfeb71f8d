package dev.muster.runtime.link;

import dev.muster.runtime.json.Json;
import dev.muster.runtime.text.Printable;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** What launchers tell each other, as JSON objects: the fields of the records, and {@code is}, the name of the record. */
final class Messages {

    private static final String IS = "is";

    /** Characters; longer texts are cut. */
    private static final int LONGEST_TEXT = 2048;

    private Messages() {}

    static Map<String, Object> write(Object message) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put(IS, name(message.getClass()));
        Json.toMap(message).forEach((field, value) -> fields.put(field, cut(value)));
        return fields;
    }

    /**
     * Reads a message; its texts can be shown on a terminal.
     *
     * @param kinds sealed, of records
     * @return empty for what this version does not know or cannot use
     */
    static <T> Optional<T> read(Map<String, Object> fields, Class<T> kinds) {
        for (Class<?> kind : kinds.getPermittedSubclasses()) {
            if (name(kind).equals(fields.get(IS))) {
                try {
                    return Optional.of(kinds.cast(Json.toRecord(shown(fields), kind)));
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

    private static Map<String, Object> shown(Map<?, ?> fields) {
        Map<String, Object> shown = new LinkedHashMap<>();
        fields.forEach((field, value) -> shown.put(String.valueOf(field), shown(value)));
        return shown;
    }

    private static Object shown(Object value) {
        if (value instanceof Map<?, ?> map) {
            return shown(map);
        }
        if (value instanceof List<?> list) {
            return list.stream().map(Messages::shown).toList();
        }
        return value instanceof String text ? Printable.escape((String) cut(text)) : value;
    }

    private static Object cut(Object value) {
        return value instanceof String text && text.length() > LONGEST_TEXT
                ? text.substring(0, LONGEST_TEXT - 3) + "..."
                : value;
    }
}
