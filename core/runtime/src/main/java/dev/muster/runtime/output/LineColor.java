package dev.muster.runtime.output;

import java.util.regex.Pattern;

/** The colour of a line of Muster's own on a terminal: warnings are yellow, the exit line is bold, and red when it is an error. */
enum LineColor {
    WARNING("warning: .*", "33"),
    SUCCESS("exit 0: .*", "1"),
    ERROR("exit [0-9]+: .*", "1;31"),
    PLAIN(".*", "");

    private final Pattern line;
    private final String code;

    LineColor(String line, String code) {
        this.line = Pattern.compile(line);
        this.code = code;
    }

    /** @param text what stands behind the prefix */
    static LineColor of(String text) {
        for (LineColor color : values()) {
            if (color.line.matcher(text).matches()) {
                return color;
            }
        }
        return PLAIN;
    }

    String paint(String line) {
        return code.isEmpty() ? line : "\u001b[" + code + "m" + line + "\u001b[0m";
    }
}
