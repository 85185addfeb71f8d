package dev.muster.runtime.json;

import dev.muster.spi.PlainRows;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A document that stays what it was, bytes, with a list of what is where in them: for the collector of garbage that is two arrays,
 * whatever the number of its parts. Objects, arrays and texts come to be when somebody asks for them.
 *
 * <p>Each value is an int: its kind in the upper three bits; of a text or number its length in the next five, as far as that fits, and
 * its place in the bytes below; of an object or array the place of its node. A node is the number of the object's {@link Shape}, or
 * the size of the array, and then the values.
 */
final class FlatDocument {

    /** No value. */
    static final int NONE = 0;

    static final int OBJECT = 1 << 29;
    static final int ARRAY = 2 << 29;
    static final int TRUE = 3 << 29;
    static final int FALSE = TRUE | 1;
    static final int NULL = TRUE | 2;
    static final int EMPTY_OBJECT = TRUE | 3;
    static final int EMPTY_ARRAY = TRUE | 4;

    private static final int KIND = 7 << 29;
    private static final int TEXT = 4 << 29;
    private static final int NUMBER = 5 << 29;

    private static final int PLACE_BITS = 24;
    private static final int PLACE = (1 << PLACE_BITS) - 1;
    private static final int LONG = 31;

    /** Texts up to this length are the same object again and again, as far as remembered. */
    private static final int SHORT = 2;

    private static final int SHORT_TEXTS = 256;

    private final byte[] bytes;
    private final int[] nodes;
    private final Shape[] shapes;
    private final @Nullable String[] shortTexts = new String[SHORT_TEXTS];

    /** None is copied. */
    FlatDocument(byte[] bytes, int[] nodes, Shape[] shapes) {
        this.bytes = bytes;
        this.nodes = nodes;
        this.shapes = shapes;
    }

    static int text(int start, int length) {
        return TEXT | Math.min(length, LONG) << PLACE_BITS | start;
    }

    static int number(int start, int length) {
        return NUMBER | length << PLACE_BITS | start;
    }

    static String ascii(byte[] bytes, int start, int length) {
        return new String(bytes, start, length, StandardCharsets.ISO_8859_1);
    }

    Map<String, @Nullable Object> object(int value) {
        int node = value & PLACE;
        return new FlatObject(this, shapes[nodes[node]].keys(), node + 1);
    }

    /** What stands at a place of a node. */
    @Nullable Object at(int place) {
        int value = nodes[place];
        return switch (value >>> 29) {
            case TEXT >>> 29 -> text(value);
            case OBJECT >>> 29 -> object(value);
            case ARRAY >>> 29 -> new FlatArray(this, (value & PLACE) + 1, nodes[value & PLACE]);
            case NUMBER >>> 29 -> number(value);
            default -> constant(value);
        };
    }

    /** As in {@link PlainRows}: {@code place} is that of the first row. */
    int column(int place, String key) {
        if (kind(nodes[place]) != OBJECT) {
            return PlainRows.NONE;
        }
        return shapes[nodes[nodes[place] & PLACE]].position(key);
    }

    /** As in {@link PlainRows}. */
    int place(int firstRow, int row, int column) {
        int[] in = nodes;
        int object = in[row];
        if (kind(object) != OBJECT || in[object & PLACE] != in[in[firstRow] & PLACE]) {
            return PlainRows.NONE;
        }
        int value = in[(object & PLACE) + 1 + column];
        boolean isShort = kind(value) == TEXT && (value >>> PLACE_BITS & LONG) < LONG;
        return isShort ? value & PLACE : PlainRows.NONE;
    }

    /** As in {@link PlainRows}. */
    int length(int row, int column) {
        return nodes[(nodes[row] & PLACE) + 1 + column] >>> PLACE_BITS & LONG;
    }

    byte[] bytes() {
        return bytes;
    }

    private static int kind(int value) {
        return value & KIND;
    }

    private static @Nullable Object constant(int value) {
        return switch (value) {
            case TRUE -> true;
            case FALSE -> false;
            case EMPTY_OBJECT -> Map.of();
            case EMPTY_ARRAY -> List.of();
            default -> null;
        };
    }

    private String text(int value) {
        int start = value & PLACE;
        int length = value >>> PLACE_BITS & LONG;
        if (length <= SHORT) {
            return shortText(start, length);
        }
        if (length == LONG) {
            while (bytes[start + length] != '"') {
                length++;
            }
        }
        return ascii(bytes, start, length);
    }

    /** Numbers of cards and the like. */
    private String shortText(int start, int length) {
        int code = 0;
        for (int offset = 0; offset < length; offset++) {
            code = code * 10 + bytes[start + offset];
        }
        int place = code & SHORT_TEXTS - 1;
        String known = shortTexts[place];
        if (known == null || known.length() != length || !stands(known, start)) {
            known = ascii(bytes, start, length);
            shortTexts[place] = known;
        }
        return known;
    }

    private boolean stands(String text, int start) {
        for (int offset = 0; offset < text.length(); offset++) {
            if (text.charAt(offset) != bytes[start + offset]) {
                return false;
            }
        }
        return true;
    }

    private Long number(int value) {
        int start = value & PLACE;
        int length = value >>> PLACE_BITS & LONG;
        long number = 0;
        for (int offset = 0; offset < length; offset++) {
            number = 10 * number + bytes[start + offset] - '0';
        }
        return number;
    }
}
