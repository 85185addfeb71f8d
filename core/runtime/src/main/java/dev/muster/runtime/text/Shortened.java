package dev.muster.runtime.text;

import java.nio.charset.StandardCharsets;

/** Long texts in a short form that still differs where they do. */
public final class Shortened {

    private static final int DIGITS = 16;

    /** A message is for somebody who reads it. */
    private static final int LONGEST_MESSAGE = 5000;

    private static final int START_OF_MESSAGE = 1000;
    private static final int END_OF_MESSAGE = 500;

    private Shortened() {}

    /** The text, or when it has more characters its beginning. */
    public static String begun(int longest, String text) {
        return text.length() <= longest ? text : start(longest, text) + "...";
    }

    /** The text, or when it has more characters its beginning, its length and a digest of the whole. */
    public static String to(int longest, String text) {
        if (text.length() <= longest) {
            return text;
        }
        return start(longest, text) + "... (" + text.length() + " characters, SHA-256 "
                + Sha256.hex(text.getBytes(StandardCharsets.UTF_8)).substring(0, DIGITS) + ")";
    }

    /**
     * A message whose middle, such as a value that somebody gave, is left out where it is long, so that what is said of it is found. Secrets
     * must be masked already: a part of one would not be known any more.
     */
    public static String message(String text) {
        return text.length() <= LONGEST_MESSAGE
                ? text
                : start(START_OF_MESSAGE, text) + "... (" + text.length() + " characters) ..."
                        + end(END_OF_MESSAGE, text);
    }

    /** The beginning of a text that has more characters. */
    public static String start(int length, String text) {
        return text.substring(0, Character.isHighSurrogate(text.charAt(length - 1)) ? length - 1 : length);
    }

    private static String end(int length, String text) {
        int from = text.length() - length;
        return text.substring(Character.isLowSurrogate(text.charAt(from)) ? from + 1 : from);
    }
}
