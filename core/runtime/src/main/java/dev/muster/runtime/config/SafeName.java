package dev.muster.runtime.config;

/**
 * Names that may become part of paths, host names and arguments: a letter or digit, then letters, digits, dots, dashes and
 * underscores, 253 characters at most. So none has a slash or a blank, and none looks like an option.
 */
public final class SafeName {

    /** What such a name looks like, for messages. */
    public static final String FORM =
            "letters, digits, dots, dashes and underscores, beginning with a letter or digit, at most 253";

    private static final int LONGEST = 253;

    private SafeName() {}

    public static boolean matches(String text) {
        if (text.isEmpty() || text.length() > LONGEST || !isLetterOrDigit(text.charAt(0))) {
            return false;
        }
        for (int index = 1; index < text.length(); index++) {
            char character = text.charAt(index);
            if (!isLetterOrDigit(character) && character != '.' && character != '-' && character != '_') {
                return false;
            }
        }
        return true;
    }

    private static boolean isLetterOrDigit(char character) {
        return (character >= 'a' && character <= 'z')
                || (character >= 'A' && character <= 'Z')
                || (character >= '0' && character <= '9');
    }
}
