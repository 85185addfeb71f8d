package dev.muster.runtime.text;

import java.nio.charset.StandardCharsets;

/** Long texts in a short form that still differs where they do. */
public final class Shortened {

    private static final int DIGITS = 16;

    private Shortened() {}

    /** The text, or when it has more characters its beginning, its length and a digest of the whole. */
    public static String to(int longest, String text) {
        if (text.length() <= longest) {
            return text;
        }
        int end = Character.isHighSurrogate(text.charAt(longest - 1)) ? longest - 1 : longest;
        return text.substring(0, end) + "... (" + text.length() + " characters, SHA-256 "
                + Sha256.hex(text.getBytes(StandardCharsets.UTF_8)).substring(0, DIGITS) + ")";
    }
}
