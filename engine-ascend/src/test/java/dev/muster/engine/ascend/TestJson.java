package dev.muster.engine.ascend;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads JSON into the maps and lists that the runtime gives to engines. Single quotes may stand for double ones. */
final class TestJson {

    private final String text;
    private int position;

    private TestJson(String text) {
        this.text = text;
    }

    @SuppressWarnings("unchecked")
    static Map<String, Object> object(String text) {
        TestJson json = new TestJson(text.replace('\'', '"'));
        Object value = json.value();
        json.skipBlanks();
        if (json.position < json.text.length() || !(value instanceof Map)) {
            throw new IllegalArgumentException("no object, or more than one: " + text);
        }
        return (Map<String, Object>) value;
    }

    private @Nullable Object value() {
        skipBlanks();
        char first = text.charAt(position);
        if (first == '{') {
            return object();
        }
        if (first == '[') {
            return array();
        }
        if (first == '"') {
            return string();
        }
        return literal();
    }

    private Map<String, @Nullable Object> object() {
        Map<String, @Nullable Object> object = new LinkedHashMap<>();
        position++;
        while (!ended('}')) {
            skipBlanks();
            String key = string();
            skipBlanks();
            expect(':');
            if (object.containsKey(key)) {
                throw new IllegalArgumentException("key twice: " + key);
            }
            object.put(key, value());
        }
        return object;
    }

    private List<@Nullable Object> array() {
        List<@Nullable Object> array = new ArrayList<>();
        position++;
        while (!ended(']')) {
            array.add(value());
        }
        return array;
    }

    /** Whether the end of the object or array follows; steps over it, or over a comma. */
    private boolean ended(char end) {
        skipBlanks();
        if (text.charAt(position) == end) {
            position++;
            return true;
        }
        if (text.charAt(position) == ',') {
            position++;
        }
        return false;
    }

    private String string() {
        StringBuilder plain = new StringBuilder();
        expect('"');
        while (text.charAt(position) != '"') {
            char character = text.charAt(position++);
            plain.append(character == '\\' ? escaped() : character);
        }
        position++;
        return plain.toString();
    }

    private char escaped() {
        char character = text.charAt(position++);
        if (character == 'u') {
            position += 4;
            return (char) Integer.parseInt(text.substring(position - 4, position), 16);
        }
        int plain = "nrtfb".indexOf(character);
        return plain < 0 ? character : "\n\r\t\f\b".charAt(plain);
    }

    private @Nullable Object literal() {
        int start = position;
        while (position < text.length() && ",]} \n".indexOf(text.charAt(position)) < 0) {
            position++;
        }
        String word = text.substring(start, position);
        return switch (word) {
            case "null" -> null;
            case "true" -> true;
            case "false" -> false;
            case "NaN" -> Double.NaN;
            default -> number(word);
        };
    }

    private static Number number(String word) {
        if (word.contains(".") || word.contains("e")) {
            return new BigDecimal(word);
        }
        return word.length() < 19 ? (Number) Long.valueOf(word) : new BigInteger(word);
    }

    private void skipBlanks() {
        while (position < text.length() && Character.isWhitespace(text.charAt(position))) {
            position++;
        }
    }

    private void expect(char expected) {
        if (text.charAt(position++) != expected) {
            throw new IllegalArgumentException("no " + expected + " at " + (position - 1) + " of " + text);
        }
    }
}
