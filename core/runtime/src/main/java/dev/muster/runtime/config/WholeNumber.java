package dev.muster.runtime.config;

import java.util.OptionalInt;

/** Whole numbers as options and variables carry them: ASCII digits and nothing else. */
public final class WholeNumber {

    private static final int MOST_DIGITS = 9;

    private WholeNumber() {}

    /** The number, if the text is one in this range. */
    public static OptionalInt parse(String text, int minimum, int maximum) {
        if (text.isEmpty() || text.length() > MOST_DIGITS) {
            return OptionalInt.empty();
        }
        int number = 0;
        for (int index = 0; index < text.length(); index++) {
            char digit = text.charAt(index);
            if (digit < '0' || digit > '9') {
                return OptionalInt.empty();
            }
            number = 10 * number + digit - '0';
        }
        return number < minimum || number > maximum ? OptionalInt.empty() : OptionalInt.of(number);
    }
}
