package dev.muster.runtime.json;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Keys and short texts that come again and again in a document: as far as remembered, each is kept once. */
final class Pool {

    /** Texts up to this length are remembered; most that are longer come once. */
    private static final int LONGEST_TEXT = 16;

    private static final int TEXTS = 1024;
    private static final int MOST_KEY_SETS = 1024;

    /** What a text takes beside its characters, and a set of keys beside its keys. */
    private static final int TEXT = 48;

    private static final int KEY_SET = 120;

    private final Map<List<String>, String[]> keySets = new HashMap<>();
    private String[] lastKeys = {};
    private final @Nullable String[] texts = new String[TEXTS];
    private long taken;

    /** Bytes that all texts and keys take which were handed out. */
    long taken() {
        return taken;
    }

    /** Bytes that a text of so many characters takes. */
    static int sizeOf(int length) {
        return TEXT + length;
    }

    /** The keys on a stack from a position on: the same array for the same ones. */
    String[] keys(Stack keys, int from) {
        if (!areLast(keys, from)) {
            String[] wanted = new String[keys.size() - from];
            for (int at = 0; at < wanted.length; at++) {
                wanted[at] = (String) Objects.requireNonNull(keys.at(from + at));
            }
            lastKeys = known(wanted);
        }
        return lastKeys;
    }

    /** Most objects have the keys of the one before. */
    private boolean areLast(Stack keys, int from) {
        if (keys.size() - from != lastKeys.length) {
            return false;
        }
        for (int at = 0; at < lastKeys.length; at++) {
            if (!lastKeys[at].equals(keys.at(from + at))) {
                return false;
            }
        }
        return true;
    }

    private String[] known(String[] keys) {
        String[] known = keySets.get(Arrays.asList(keys));
        if (known != null) {
            return known;
        }
        taken += KEY_SET;
        for (String key : keys) {
            taken += sizeOf(key.length());
        }
        if (keySets.size() < MOST_KEY_SETS) {
            keySets.put(Arrays.asList(keys), keys);
        }
        return keys;
    }

    /** The text of these characters. */
    String text(char[] characters, int start, int length) {
        if (length > LONGEST_TEXT) {
            taken += sizeOf(length);
            return new String(characters, start, length);
        }
        int hash = 0;
        for (int at = start; at < start + length; at++) {
            hash = 31 * hash + characters[at];
        }
        int place = (hash ^ hash >>> 10) & TEXTS - 1;
        String known = texts[place];
        if (known == null || !isText(known, characters, start, length)) {
            known = new String(characters, start, length);
            texts[place] = known;
            taken += sizeOf(length);
        }
        return known;
    }

    private static boolean isText(String known, char[] characters, int start, int length) {
        if (known.length() != length) {
            return false;
        }
        for (int at = 0; at < length; at++) {
            if (known.charAt(at) != characters[start + at]) {
                return false;
            }
        }
        return true;
    }
}
