package dev.muster.runtime.diagnostics;

import dev.muster.runtime.text.Printable;
import java.util.List;
import java.util.regex.Pattern;

/** What a program printed for a terminal, as lines of plain text that cannot do anything to one. */
final class PlainLines {

    /** Colours and cursor movements, titles of windows, and what else ESC begins. */
    private static final Pattern ESCAPES = Pattern.compile(
            "\u001b(?:\\[[0-?]*+[ -/]*+[@-~]|\\][^\u0007\u001b]*+(?:\u0007|\u001b\\\\)?|[ -/]*+[0-Z\\\\^-~])");

    private static final String TAB = "    ";

    private PlainLines() {}

    /** The text without what only controls a terminal. */
    static String withoutColours(String text) {
        return text.indexOf('\u001b') < 0 ? text : ESCAPES.matcher(text).replaceAll("");
    }

    /** The lines of a text; what is left of control characters is written out. */
    static List<String> of(String text) {
        return text.lines()
                .map(line -> Printable.escape(line.replaceFirst("^\0+", "").replace("\t", TAB))
                        .stripTrailing())
                .toList();
    }
}
