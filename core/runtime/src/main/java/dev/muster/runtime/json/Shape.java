package dev.muster.runtime.json;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** The keys that many objects of a document have in common, in their order. */
final class Shape {

    /** No keys, where none are known yet. */
    static final Shape NONE = new Shape(-1, List.of());

    private final int number;
    private final String[] keys;

    /** Each key as it stands in the document, with its quotes. */
    private final byte[][] quoted;

    /**
     * @param number under which the document knows it
     * @param keys of printable ASCII, all different
     */
    Shape(int number, List<String> keys) {
        this.number = number;
        this.keys = keys.stream().map(String::intern).toArray(String[]::new);
        this.quoted = keys.stream()
                .map(key -> ('"' + key + '"').getBytes(StandardCharsets.US_ASCII))
                .toArray(byte[][]::new);
    }

    int number() {
        return number;
    }

    int size() {
        return keys.length;
    }

    /** Not a copy. */
    String[] keys() {
        return keys;
    }

    /** Where among the keys this one is; -1: nowhere. */
    int position(String key) {
        for (int position = 0; position < keys.length; position++) {
            if (keys[position].equals(key)) {
                return position;
            }
        }
        return -1;
    }

    /** The first keys, to which others may be added. */
    List<String> first(int count) {
        return new ArrayList<>(List.of(keys).subList(0, count));
    }

    /** How many bytes the key at a position takes with its quotes. */
    int width(int position) {
        return quoted[position].length;
    }

    /** Whether the key at a position, if there is one, stands in the document at this place. */
    boolean stands(int position, byte[] bytes, int at) {
        if (position >= quoted.length) {
            return false;
        }
        byte[] wanted = quoted[position];
        if (at + wanted.length > bytes.length) {
            return false;
        }
        // From the end: the keys of an object begin alike more often than they end so.
        for (int back = wanted.length - 1; back > 0; back--) {
            if (bytes[at + back] != wanted[back]) {
                return false;
            }
        }
        return true;
    }
}
