package dev.muster.runtime.json;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads a document of the plainest kind into a {@link FlatDocument}: valid, of printable ASCII without escapes, with whole numbers
 * only. That is what machines write, and what a job of a hundred thousand cards waits for. Of anything else it says nothing but
 * that it is none of these; the general parser then reads it from the start, and tells what is wrong with it.
 */
final class FlatParser {

    /** Ints that a document may take. What needs more has many small parts, which the general parser counts. */
    private static final int MOST_INTS = 3 * 1024 * 1024;

    private static final int MOST_SHAPES = 1024;
    private static final int LONGEST_KEY = 256;

    /** Digits of the longest number that is a {@code long} for certain. */
    private static final int LONGEST_NUMBER = 18;

    private static final int NONE = FlatDocument.NONE;

    private final byte[] bytes;
    private int at;

    /** The values of the objects and arrays that are still open, the innermost last. */
    private int[] open = new int[64];

    private int top;

    /** The objects and arrays that have ended. */
    private int[] nodes;

    private int used;

    /** Of the object that ended last, by its depth: most have the keys of the one before. */
    private final Shape[] last = new Shape[JsonReader.DEEPEST + 1];

    private final Map<List<String>, Shape> known = new HashMap<>();
    private final List<Shape> shapes = new ArrayList<>();

    private FlatParser(byte[] bytes) {
        this.bytes = bytes;
        this.nodes = new int[64 + bytes.length / 8];
        Arrays.fill(last, Shape.NONE);
    }

    /** The object that the bytes hold, which keeps them; empty when they are not of the plainest kind. */
    static Optional<Map<String, Object>> read(byte[] bytes) {
        return new FlatParser(bytes).document();
    }

    private Optional<Map<String, Object>> document() {
        if (next() != '{') {
            return Optional.empty();
        }
        int root = object(1);
        if (root == NONE || root == FlatDocument.EMPTY_OBJECT || next() != 0 || at < bytes.length) {
            return Optional.empty();
        }
        FlatDocument document = new FlatDocument(bytes, nodes, shapes.toArray(new Shape[0]));
        return Optional.of(document.object(root));
    }

    /** Goes to the next byte that is no blank, and returns it; 0 at the end. */
    private int next() {
        byte[] in = bytes;
        int here = at;
        while (here < in.length) {
            byte there = in[here];
            if (there > ' ' || (there != ' ' && there != '\n' && there != '\r' && there != '\t')) {
                at = here;
                return there;
            }
            here++;
        }
        at = here;
        return 0;
    }

    private int value(int depth) {
        return switch (next()) {
            case '"' -> text();
            case '{' -> object(depth + 1);
            case '[' -> array(depth + 1);
            case '0', '1', '2', '3', '4', '5', '6', '7', '8', '9' -> number();
            case 't' -> word("true", FlatDocument.TRUE);
            case 'f' -> word("false", FlatDocument.FALSE);
            case 'n' -> word("null", FlatDocument.NULL);
            default -> NONE;
        };
    }

    private int object(int depth) {
        if (depth > JsonReader.DEEPEST) {
            return NONE;
        }
        at++;
        if (next() == '}') {
            at++;
            return FlatDocument.EMPTY_OBJECT;
        }
        int first = top;
        Shape shape = last[depth];
        List<String> others = null;
        for (int count = 0; next() == '"'; count++) {
            if (others == null && shape.stands(count, bytes, at)) {
                at += shape.width(count);
            } else {
                others = others == null ? shape.first(count) : others;
                if (!addKey(others)) {
                    return NONE;
                }
            }
            int after = fieldValue(depth);
            if (after == '}') {
                return closeObject(
                        depth, others == null && count + 1 < shape.size() ? shape.first(count + 1) : others, first);
            }
            if (after != ',') {
                return NONE;
            }
        }
        return NONE;
    }

    /** Reads what follows a key; returns what follows the value. */
    private int fieldValue(int depth) {
        if (next() != ':') {
            return NONE;
        }
        at++;
        return pushValue(depth);
    }

    /** Reads a value; returns what follows it. */
    private int pushValue(int depth) {
        int value = value(depth);
        if (value == NONE || !push(value)) {
            return NONE;
        }
        int after = next();
        at++;
        return after;
    }

    /** @param keys null: those of the object before */
    private int closeObject(int depth, @Nullable List<String> keys, int first) {
        if (keys != null) {
            Shape other = shape(keys);
            if (other == null) {
                return NONE;
            }
            last[depth] = other;
        }
        return close(FlatDocument.OBJECT, last[depth].number(), first);
    }

    private boolean addKey(List<String> keys) {
        int start = at + 1;
        int text = text();
        int length = at - 1 - start;
        if (text == NONE || length > LONGEST_KEY || keys.size() == CompactObject.MOST_FIELDS) {
            return false;
        }
        keys.add(FlatDocument.ascii(bytes, start, length));
        return true;
    }

    private @Nullable Shape shape(List<String> keys) {
        Shape shape = known.get(keys);
        if (shape == null && shapes.size() < MOST_SHAPES && new HashSet<>(keys).size() == keys.size()) {
            shape = new Shape(shapes.size(), keys);
            shapes.add(shape);
            known.put(List.copyOf(keys), shape);
        }
        return shape;
    }

    private int array(int depth) {
        if (depth > JsonReader.DEEPEST) {
            return NONE;
        }
        at++;
        if (next() == ']') {
            at++;
            return FlatDocument.EMPTY_ARRAY;
        }
        int first = top;
        int after = ',';
        while (after == ',') {
            after = pushValue(depth);
        }
        return after == ']' ? close(FlatDocument.ARRAY, top - first, first) : NONE;
    }

    private boolean push(int value) {
        if (top == open.length) {
            if (top > MOST_INTS) {
                return false;
            }
            open = Arrays.copyOf(open, 2 * top);
        }
        open[top++] = value;
        return true;
    }

    /** Moves what is open from a position on to the nodes that have ended, behind a number that tells what it is. */
    private int close(int kind, int head, int first) {
        int size = top - first;
        if (used + size + 1 > nodes.length) {
            if (used + size + 1 > MOST_INTS) {
                return NONE;
            }
            nodes = Arrays.copyOf(nodes, used + used / 2 + size + 1);
        }
        int node = used;
        nodes[node] = head;
        int[] from = open;
        int[] to = nodes;
        for (int offset = 0; offset < size; offset++) {
            to[node + 1 + offset] = from[first + offset];
        }
        used = node + 1 + size;
        top = first;
        return kind | node;
    }

    private int text() {
        byte[] in = bytes;
        int start = at + 1;
        int here = start;
        while (here < in.length) {
            byte there = in[here];
            if (there == '"') {
                at = here + 1;
                return here - start > JsonReader.LONGEST_TEXT ? NONE : FlatDocument.text(start, here - start);
            }
            // Those of other characters are negative.
            if (there < ' ' || there == '\\') {
                return NONE;
            }
            here++;
        }
        return NONE;
    }

    private int number() {
        int start = at;
        while (at < bytes.length && bytes[at] >= '0' && bytes[at] <= '9') {
            at++;
        }
        int length = at - start;
        boolean isPlain = length == 1 || (bytes[start] != '0' && length <= LONGEST_NUMBER);
        return isPlain ? FlatDocument.number(start, length) : NONE;
    }

    private int word(String word, int value) {
        for (int offset = 0; offset < word.length(); offset++) {
            if (at + offset >= bytes.length || bytes[at + offset] != word.charAt(offset)) {
                return NONE;
            }
        }
        at += word.length();
        return value;
    }
}
