package dev.muster.engine.ascend;

/** Whole numbers as rank tables and variables write them: ASCII digits and nothing else. */
final class WholeNumber {

    /** What {@link #parse} returns for a text that is no such number. */
    static final int NONE = -1;

    private WholeNumber() {}

    /** The number, 0 to {@code most}, else {@link #NONE}. Signs, blanks and foreign digits make it none. */
    static int parse(String text, int most) {
        long number = 0;
        for (int at = 0; at < text.length(); at++) {
            char digit = text.charAt(at);
            number = 10 * number + digit - '0';
            if (digit < '0' || digit > '9' || number > most) {
                return NONE;
            }
        }
        return text.isEmpty() ? NONE : (int) number;
    }
}
