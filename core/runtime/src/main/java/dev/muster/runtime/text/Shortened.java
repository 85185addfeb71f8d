package dev.muster.runtime.text;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

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
                + digest(text).substring(0, DIGITS) + ")";
    }

    private static String digest(String text) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            return HexFormat.of().formatHex(digest.digest(text.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every Java has SHA-256", impossible);
        }
    }
}
