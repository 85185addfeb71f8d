package dev.muster.runtime.json;

import dev.muster.runtime.text.Printable;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Writes JDK maps, lists, texts, numbers, booleans and {@code null} as JSON: two spaces a level, one value a line, keys in the
 * map's order, a line feed at the end; or all in one line without any space. Equal values give equal bytes. Control characters, and others that are
 * not seen as what they are, are escaped, so that the text can be shown on a terminal.
 */
public final class JsonWriter {

    /** So many characters are handed out at once. */
    private static final int PIECE = 64 * 1024;

    private final StringBuilder text;
    private final boolean isOneLine;
    private final Optional<Consumer<String>> out;

    private JsonWriter(StringBuilder text, boolean isOneLine, Optional<Consumer<String>> out) {
        this.text = text;
        this.isOneLine = isOneLine;
        this.out = out;
    }

    /** @throws IllegalArgumentException when the structure holds anything else */
    public static String write(@Nullable Object value) {
        JsonWriter writer = new JsonWriter(new StringBuilder(1024), false, Optional.empty());
        writer.value(value, 0);
        return writer.text.append('\n').toString();
    }

    /**
     * As {@link #write(Object)}, piece by piece: lists may make their elements when they are asked for them.
     *
     * @throws IllegalArgumentException when the structure holds anything else
     */
    public static void write(@Nullable Object value, Consumer<String> out) {
        JsonWriter writer = new JsonWriter(new StringBuilder(2 * PIECE), false, Optional.of(out));
        writer.value(value, 0);
        out.accept(writer.text.append('\n').toString());
    }

    /**
     * Everything in one line, without its end.
     *
     * @throws IllegalArgumentException when the structure holds anything else
     */
    public static String line(@Nullable Object value) {
        JsonWriter writer = new JsonWriter(new StringBuilder(256), true, Optional.empty());
        writer.value(value, 0);
        return writer.text.toString();
    }

    private void value(@Nullable Object value, int level) {
        if (value == null || value instanceof Boolean) {
            text.append(value);
        } else if (value instanceof Number number) {
            number(number);
        } else if (value instanceof String string) {
            string(string);
        } else if (value instanceof Map<?, ?> map) {
            map(map, level);
        } else if (value instanceof List<?> list) {
            list(list, level);
        } else {
            throw new IllegalArgumentException("no JSON for " + value.getClass());
        }
    }

    private void map(Map<?, ?> map, int level) {
        if (map.isEmpty()) {
            text.append("{}");
            return;
        }
        char before = '{';
        for (Map.Entry<?, ?> entry : map.entrySet()) {
            text.append(before);
            newLine(level + 1);
            string((String) entry.getKey());
            text.append(isOneLine ? ":" : ": ");
            value(entry.getValue(), level + 1);
            before = ',';
        }
        newLine(level);
        text.append('}');
    }

    private void list(List<?> list, int level) {
        if (list.isEmpty()) {
            text.append("[]");
            return;
        }
        char before = '[';
        for (Object element : list) {
            text.append(before);
            newLine(level + 1);
            value(element, level + 1);
            handOut();
            before = ',';
        }
        newLine(level);
        text.append(']');
    }

    private void handOut() {
        if (out.isPresent() && text.length() >= PIECE) {
            out.get().accept(text.toString());
            text.setLength(0);
        }
    }

    /** JSON has no word for NaN and the infinities; they become texts. */
    private void number(Number number) {
        if (Double.isFinite(number.doubleValue()) || !(number instanceof Double || number instanceof Float)) {
            text.append(number);
        } else {
            string(number.toString());
        }
    }

    private void newLine(int level) {
        if (isOneLine) {
            return;
        }
        text.append('\n');
        for (int indented = 0; indented < level; indented++) {
            text.append("  ");
        }
    }

    private void string(String string) {
        text.append('"');
        for (int at = 0; at < string.length(); at++) {
            character(string, at);
        }
        text.append('"');
    }

    private void character(String string, int at) {
        char character = string.charAt(at);
        switch (character) {
            case '"' -> text.append("\\\"");
            case '\\' -> text.append("\\\\");
            case '\n' -> text.append("\\n");
            case '\r' -> text.append("\\r");
            case '\t' -> text.append("\\t");
            default -> {
                if (isHarmful(character) || isLoneSurrogate(string, at)) {
                    escape(character);
                } else {
                    text.append(character);
                }
            }
        }
    }

    private static boolean isHarmful(char character) {
        return character < ' '
                || (character >= 0x7f && !Character.isSurrogate(character) && !Printable.isPlain(character));
    }

    private void escape(char character) {
        text.append("\\u");
        for (int shift = 12; shift >= 0; shift -= 4) {
            text.append(Character.forDigit(character >> shift & 0xF, 16));
        }
    }

    /** Half a pair has no UTF-8. */
    private static boolean isLoneSurrogate(String string, int at) {
        char character = string.charAt(at);
        if (Character.isHighSurrogate(character)) {
            return at + 1 == string.length() || !Character.isLowSurrogate(string.charAt(at + 1));
        }
        return Character.isLowSurrogate(character) && (at == 0 || !Character.isHighSurrogate(string.charAt(at - 1)));
    }
}
