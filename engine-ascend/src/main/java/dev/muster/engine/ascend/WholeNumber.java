package dev.muster.engine.ascend;

import java.util.regex.Pattern;

/** Whole numbers as rank tables and variables write them: ASCII digits and nothing else. */
final class WholeNumber {

    /** The result of {@link #parse} for a text that is no such number. */
    static final int NONE = -1;

    private static final Pattern DIGITS = Pattern.compile("[0-9]{1,9}");

    private WholeNumber() {}

    /** The number, 0 to {@code most}, else {@link #NONE}: also for signs, blanks and digits that are not ASCII. */
    static int parse(String text, int most) {
        int number = DIGITS.matcher(text).matches() ? Integer.parseInt(text) : NONE;
        return number > most ? NONE : number;
    }
}
