package dev.muster.runtime.json;

import java.util.Optional;

/**
 * Whether bytes are UTF-8, told before the parser sees them: it would guess the encoding, and stop at the first wrong byte
 * without telling a character that is cut off from one that is wrong.
 *
 * @param start where the text begins: after a byte order mark
 * @param defect why there is nothing to parse
 */
record Encoding(int start, Optional<JsonReading> defect) {

    static Encoding of(byte[] bytes) {
        int start = startsWithMark(bytes) ? 3 : 0;
        if (isWide(bytes, start)) {
            return new Encoding(start, Optional.of(new JsonReading.Wrong("is UTF-16 or UTF-32; it must be UTF-8")));
        }
        int at = firstDefect(bytes, start);
        if (at == bytes.length) {
            return new Encoding(start, Optional.empty());
        }
        return new Encoding(
                start,
                Optional.of(
                        isCutOff(bytes, at)
                                ? new JsonReading.Incomplete("is cut off within a character at its end, at byte " + at)
                                : new JsonReading.Wrong("is not UTF-8 at byte " + at)));
    }

    private static boolean startsWithMark(byte[] bytes) {
        return bytes.length >= 3 && bytes[0] == (byte) 0xEF && bytes[1] == (byte) 0xBB && bytes[2] == (byte) 0xBF;
    }

    /** An object in a wider encoding starts with a brace beside a zero; the parser would read it without a word. */
    private static boolean isWide(byte[] bytes, int start) {
        if (bytes.length < start + 4) {
            return false;
        }
        boolean braceFirst = bytes[start] == '{' && bytes[start + 1] == 0;
        boolean braceLast = bytes[start] == 0 && (bytes[start + 1] == '{' || bytes[start + 3] == '{');
        return braceFirst || braceLast;
    }

    /** Index of the first byte of a sequence that is not UTF-8, or the length. */
    private static int firstDefect(byte[] bytes, int start) {
        int at = start;
        while (at < bytes.length) {
            if (bytes[at] >= 0) {
                at++;
                continue;
            }
            int length = sequenceLength(bytes[at] & 0xFF);
            if (length == 0 || at + length > bytes.length || !continues(bytes, at, at + length)) {
                return at;
            }
            at += length;
        }
        return at;
    }

    /** How many bytes a sequence has that starts with this one; 0: none does. */
    private static int sequenceLength(int lead) {
        if (lead < 0xC2 || lead > 0xF4) {
            return 0;
        }
        return lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    }

    private static boolean continues(byte[] bytes, int at, int end) {
        for (int next = at + 1; next < end; next++) {
            if ((bytes[next] & 0xC0) != 0x80) {
                return false;
            }
        }
        return end == at + 1 || secondFits(bytes[at] & 0xFF, bytes[at + 1] & 0xFF);
    }

    /** No overlong forms, no surrogates, nothing above U+10FFFF. */
    private static boolean secondFits(int lead, int second) {
        return switch (lead) {
            case 0xE0 -> second >= 0xA0;
            case 0xED -> second < 0xA0;
            case 0xF0 -> second >= 0x90;
            case 0xF4 -> second < 0x90;
            default -> true;
        };
    }

    /** What is there of the last sequence is right, only the rest is not there yet. */
    private static boolean isCutOff(byte[] bytes, int at) {
        return at + sequenceLength(bytes[at] & 0xFF) > bytes.length && continues(bytes, at, bytes.length);
    }
}
