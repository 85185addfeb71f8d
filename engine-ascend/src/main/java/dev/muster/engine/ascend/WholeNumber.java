package dev.muster.engine.ascend;

/** Whole numbers as rank tables and variables write them: ASCII digits and nothing else. */
final class WholeNumber {

    /** What {@link #parse} returns for a text that is no such number. */
    static final int NONE = -1;

    private WholeNumber() {}

    /** The number, 0 to {@code most}, else {@link #NONE}. Signs, blanks and foreign digits make it none. */
    static int parse(String text, int most) {
        byte[] ascii = AsciiText.bytes(text);
        return parse(ascii, 0, ascii.length, most);
    }

    /** The same for a part of a text that is ASCII, from its start to before its end. */
    static int parse(byte[] text, int start, int end, int most) {
        long number = 0;
        for (int at = start; at < end; at++) {
            byte digit = text[at];
            if (digit < '0' || digit > '9') {
                return NONE;
            }
            number = 10 * number + digit - '0';
            if (number > most) {
                return NONE;
            }
        }
        return start == end ? NONE : (int) number;
    }
}
