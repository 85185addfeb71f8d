package dev.muster.runtime.text;

import java.nio.charset.StandardCharsets;

/** Shortens long texts. Different texts stay different. */
public final class Shortened {

    private static final int DIGITS = 16;

    /** A message must be short enough to read. */
    private static final int LONGEST_MESSAGE = 5000;

    private static final int START_OF_MESSAGE = 1000;
    private static final int END_OF_MESSAGE = 500;

    private Shortened() {}

    /** The text; if it is longer, its beginning. */
    public static String begun(int longest, String text) {
        return text.length() <= longest ? text : start(longest, text) + "...";
    }

    /** The text; if it is longer, its beginning, its length and a digest of the whole. */
    public static String to(int longest, String text) {
        if (text.length() <= longest) {
            return text;
        }
        return start(longest, text) + "... (" + text.length() + " characters, SHA-256 "
                + Sha256.hex(text.getBytes(StandardCharsets.UTF_8)).substring(0, DIGITS) + ")";
    }

    /**
     * A message. The middle of a long one is left out, such as a long value, so that the beginning and the end are visible. Mask secrets
     * before: a part of a secret is not recognised.
     */
    public static String message(String text) {
        return text.length() <= LONGEST_MESSAGE
                ? text
                : start(START_OF_MESSAGE, text) + "... (" + text.length() + " characters) ..."
                        + end(END_OF_MESSAGE, text);
    }

    /** The beginning of a longer text. It does not cut a surrogate pair. */
    public static String start(int length, String text) {
        return text.substring(0, Character.isHighSurrogate(text.charAt(length - 1)) ? length - 1 : length);
    }

    private static String end(int length, String text) {
        int from = text.length() - length;
        return text.substring(Character.isLowSurrogate(text.charAt(from)) ? from + 1 : from);
    }
}
