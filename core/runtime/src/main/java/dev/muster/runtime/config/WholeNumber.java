package dev.muster.runtime.config;

import java.util.OptionalInt;
import java.util.regex.Pattern;

/** Whole numbers as options and variables carry them: ASCII digits and nothing else. */
public final class WholeNumber {

    private static final Pattern DIGITS = Pattern.compile("[0-9]{1,9}");

    private WholeNumber() {}

    /** The number, if the text is one in this range. */
    public static OptionalInt parse(String text, int minimum, int maximum) {
        if (!DIGITS.matcher(text).matches()) {
            return OptionalInt.empty();
        }
        int number = Integer.parseInt(text);
        return number < minimum || number > maximum ? OptionalInt.empty() : OptionalInt.of(number);
    }
}
