package dev.muster.runtime.config;

import java.util.regex.Pattern;

/**
 * Names that may become part of paths, host names and arguments: a letter or digit, then letters, digits, dots, dashes and underscores.
 * They have at most 200 characters, so that a file name of 255 bytes has room for more. No such name has a slash or a blank, or looks like
 * an option.
 */
public final class SafeName {

    /** What such a name looks like, for messages. */
    public static final String FORM =
            "letters, digits, dots, dashes and underscores, beginning with a letter or digit, at most 200";

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,199}");

    private SafeName() {}

    public static boolean matches(String text) {
        return NAME.matcher(text).matches();
    }
}
