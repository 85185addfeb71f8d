package dev.muster.runtime.text;

import java.nio.charset.StandardCharsets;

/** Long texts in a short form that still differs where they do. */
public final class Shortened {

    private static final int DIGITS = 16;

    /** A message is for somebody who reads it: the words that he needs are shorter, the names of files among them. */
    private static final int LONGEST_WORD = 1000;

    private static final int START_OF_WORD = 200;
    private static final int END_OF_WORD = 20;

    private static final int LONGEST_MESSAGE = 10_000;
    private static final int START_OF_MESSAGE = 6000;
    private static final int END_OF_MESSAGE = 2000;

    private Shortened() {}

    /** The text, or when it has more characters its beginning, its length and a digest of the whole. */
    public static String to(int longest, String text) {
        if (text.length() <= longest) {
            return text;
        }
        return start(longest, text) + "... (" + text.length() + " characters, SHA-256 "
                + Sha256.hex(text.getBytes(StandardCharsets.UTF_8)).substring(0, DIGITS) + ")";
    }

    /**
     * A message whose long words, such as a value that somebody gave, show their beginning, length and end, so that what it says of them is
     * found. Secrets must be masked already: a part of one would not be known any more.
     */
    public static String message(String text) {
        if (text.length() <= LONGEST_WORD) {
            return text;
        }
        StringBuilder shortened = new StringBuilder();
        int from = 0;
        while (from < text.length()) {
            int blank = text.indexOf(' ', from);
            int to = blank < 0 ? text.length() : blank;
            shortened.append(middleLeftOut(LONGEST_WORD, START_OF_WORD, END_OF_WORD, text.substring(from, to)));
            if (blank >= 0) {
                shortened.append(' ');
            }
            from = to + 1;
        }
        return middleLeftOut(LONGEST_MESSAGE, START_OF_MESSAGE, END_OF_MESSAGE, shortened.toString());
    }

    private static String middleLeftOut(int longest, int start, int end, String text) {
        return text.length() <= longest
                ? text
                : start(start, text) + "... (" + text.length() + " characters) ..." + end(end, text);
    }

    private static String start(int length, String text) {
        return text.substring(0, Character.isHighSurrogate(text.charAt(length - 1)) ? length - 1 : length);
    }

    private static String end(int length, String text) {
        int from = text.length() - length;
        return text.substring(Character.isLowSurrogate(text.charAt(from)) ? from + 1 : from);
    }
}
