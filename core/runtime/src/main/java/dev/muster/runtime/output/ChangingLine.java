package dev.muster.runtime.output;

import java.nio.charset.StandardCharsets;
import java.util.function.IntSupplier;

/**
 * A line of a terminal that is written over. It is always narrower than the terminal: one that goes over its edge could not be
 * taken back. No control sequence is needed, so it works everywhere.
 */
final class ChangingLine {

    private static final int NARROWEST = 10;
    private static final String CUT = "...";
    /** What is left of the longest word, which is a path most of the time: its end, where its name stands. */
    private static final int LONGEST_WORD = 24;

    private final IntSupplier columns;
    private int width;

    /** @param columns of the terminal */
    ChangingLine(IntSupplier columns) {
        this.columns = columns;
    }

    boolean isShown() {
        return width > 0;
    }

    /** Bytes that show a text in place of what is there. */
    byte[] show(String text) {
        // The last column stays free: many terminals go to the next line when it is filled.
        String cut = cut(text, Math.max(NARROWEST, columns.getAsInt()) - 1);
        int before = width;
        width = width(cut);
        String rest = before > width ? " ".repeat(before - width) + "\r" + cut : "";
        return ("\r" + cut + rest).getBytes(StandardCharsets.UTF_8);
    }

    /** Bytes that take it away, and leave the cursor where it began. */
    byte[] clear() {
        String blank = "\r" + " ".repeat(width) + "\r";
        width = 0;
        return blank.getBytes(StandardCharsets.UTF_8);
    }

    private static String cut(String text, int most) {
        return width(text) <= most ? text : cutEnd(cutLongestWord(text), most);
    }

    private static String cutLongestWord(String text) {
        String longest = "";
        for (String word : text.split(" ", -1)) {
            longest = word.length() > longest.length() ? word : longest;
        }
        return longest.length() <= LONGEST_WORD
                ? text
                : text.replace(longest, CUT + longest.substring(longest.length() - LONGEST_WORD + CUT.length()));
    }

    private static String cutEnd(String text, int most) {
        if (width(text) <= most) {
            return text;
        }
        StringBuilder start = new StringBuilder();
        int left = most - CUT.length();
        for (int character : text.codePoints().toArray()) {
            left -= width(character);
            if (left < 0) {
                break;
            }
            start.appendCodePoint(character);
        }
        return start + CUT;
    }

    private static int width(String text) {
        return text.codePoints().map(ChangingLine::width).sum();
    }

    /** Characters of East Asia and pictures take two columns; nothing is wrong when others count as two as well. */
    private static int width(int character) {
        return character >= 0x1100 ? 2 : 1;
    }
}
