package dev.muster.engine.ascend;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Writes JSON in the form that Python gives it by default: one line, a blank after comma and colon, ASCII only. So a
 * converted table is the same bytes as the one that the platform's own script writes.
 */
final class JsonText {

    private final StringBuilder text = new StringBuilder();
    private final boolean numbersAsTexts;

    private JsonText(boolean numbersAsTexts) {
        this.numbersAsTexts = numbersAsTexts;
    }

    /** An object whose keys keep this order: {@code object("key", value, ...)}. */
    static Map<String, Object> object(Object... keysAndValues) {
        Map<String, Object> object = new LinkedHashMap<>();
        for (int i = 0; i < keysAndValues.length; i += 2) {
            object.put((String) keysAndValues[i], keysAndValues[i + 1]);
        }
        return object;
    }

    /** Maps, lists, texts, numbers, booleans and {@code null} as JSON. */
    static String of(Object value) {
        JsonText json = new JsonText(false);
        json.append(value);
        return json.text.toString();
    }

    /** As {@link #of}, with every number written as a text. */
    static String withNumbersAsTexts(Object value) {
        JsonText json = new JsonText(true);
        json.append(value);
        return json.text.toString();
    }

    private void append(@Nullable Object value) {
        if (value instanceof Map<?, ?> object) {
            appendObject(object);
        } else if (value instanceof List<?> array) {
            appendArray(array);
        } else if (value instanceof String || (numbersAsTexts && value instanceof Number)) {
            appendText(text, value.toString());
        } else {
            text.append(value);
        }
    }

    private void appendObject(Map<?, ?> object) {
        String separator = "{";
        for (Map.Entry<?, ?> entry : object.entrySet()) {
            text.append(separator);
            appendText(text, String.valueOf(entry.getKey()));
            text.append(": ");
            append(entry.getValue());
            separator = ", ";
        }
        text.append(object.isEmpty() ? "{}" : "}");
    }

    private void appendArray(List<?> array) {
        String separator = "[";
        for (Object element : array) {
            text.append(separator);
            append(element);
            separator = ", ";
        }
        text.append(array.isEmpty() ? "[]" : "]");
    }

    private static void appendText(StringBuilder text, String plain) {
        text.append('"');
        for (int i = 0; i < plain.length(); i++) {
            appendCharacter(text, plain.charAt(i));
        }
        text.append('"');
    }

    private static void appendCharacter(StringBuilder text, char character) {
        switch (character) {
            case '"' -> text.append("\\\"");
            case '\\' -> text.append("\\\\");
            case '\n' -> text.append("\\n");
            case '\r' -> text.append("\\r");
            case '\t' -> text.append("\\t");
            case '\f' -> text.append("\\f");
            case '\b' -> text.append("\\b");
            default -> {
                if (character >= ' ' && character <= '~') {
                    text.append(character);
                } else {
                    text.append(String.format("\\u%04x", (int) character));
                }
            }
        }
    }
}
