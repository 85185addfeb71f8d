package dev.muster.runtime.diagnostics;

import dev.muster.runtime.text.Printable;
import java.util.List;
import java.util.regex.Pattern;

/** Turns terminal output into lines of plain text that cannot control a terminal. */
final class PlainLines {

    /** Escape sequences: colours, cursor movements, window titles and others. */
    private static final Pattern ESCAPES = Pattern.compile(
            "\u001b(?:\\[[0-?]*+[ -/]*+[@-~]|\\][^\u0007\u001b]*+(?:\u0007|\u001b\\\\)?|[ -/]*+[0-Z\\\\^-~])");

    private static final String TAB = "    ";

    private PlainLines() {}

    /** The text without escape sequences. */
    static String withoutColours(String text) {
        return text.indexOf('\u001b') < 0 ? text : ESCAPES.matcher(text).replaceAll("");
    }

    /** The lines of a text; remaining control characters are escaped. */
    static List<String> of(String text) {
        return text.lines()
                .map(line -> Printable.escape(line.replaceFirst("^\0+", "").replace("\t", TAB))
                        .stripTrailing())
                .toList();
    }
}
