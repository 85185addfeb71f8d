package dev.muster.engine.ascend;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Writes JSON in Python's default form: one line, a blank after comma and colon, ASCII only. So a
 * converted table has the same bytes as the table that the platform's own script writes.
 */
final class JsonText {

    private static final String WITH_LETTER = "\"\\\n\r\t\f\b";
    private static final String LETTERS = "\"\\nrtfb";

    private JsonText() {}

    /** Maps, lists, texts, numbers, booleans and {@code null} as JSON. */
    static String of(Object value) {
        return append(new StringBuilder(), value, false).toString();
    }

    /** As {@link #of}, with every number written as a text. */
    static String withNumbersAsTexts(Object value) {
        return append(new StringBuilder(), value, true).toString();
    }

    private static StringBuilder append(StringBuilder text, @Nullable Object value, boolean quotesNumbers) {
        String separator = "";
        if (value instanceof Map<?, ?> object) {
            text.append('{');
            for (Map.Entry<?, ?> entry : object.entrySet()) {
                appendText(text.append(separator), String.valueOf(entry.getKey()));
                append(text.append(": "), entry.getValue(), quotesNumbers);
                separator = ", ";
            }
            return text.append('}');
        }
        if (value instanceof List<?> array) {
            text.append('[');
            for (Object element : array) {
                append(text.append(separator), element, quotesNumbers);
                separator = ", ";
            }
            return text.append(']');
        }
        boolean isText = value instanceof String || (quotesNumbers && value instanceof Number);
        return isText ? appendText(text, String.valueOf(value)) : text.append(value);
    }

    private static StringBuilder appendText(StringBuilder text, String plain) {
        text.append('"');
        for (int i = 0; i < plain.length(); i++) {
            char character = plain.charAt(i);
            int letter = WITH_LETTER.indexOf(character);
            if (letter >= 0) {
                text.append('\\').append(LETTERS.charAt(letter));
            } else if (character >= ' ' && character <= '~') {
                text.append(character);
            } else {
                text.append(String.format("\\u%04x", (int) character));
            }
        }
        return text.append('"');
    }
}
