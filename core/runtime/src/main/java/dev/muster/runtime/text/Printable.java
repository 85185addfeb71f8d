package dev.muster.runtime.text;

/** Makes foreign text safe inside our own messages: a pod name must not be able to rewrite the terminal or the log. */
public final class Printable {

    private Printable() {}

    /** The text with control characters written as {@code \n}, {@code \t}, {@code \u001b}. */
    public static String escape(String text) {
        StringBuilder escaped = new StringBuilder(text.length());
        text.chars().forEach(character -> append(escaped, (char) character));
        return escaped.toString();
    }

    /** The text escaped and in double quotes. */
    public static String quote(String text) {
        return "\"" + escape(text) + "\"";
    }

    private static void append(StringBuilder escaped, char character) {
        switch (character) {
            case '\n' -> escaped.append("\\n");
            case '\t' -> escaped.append("\\t");
            case '\r' -> escaped.append("\\r");
            default -> {
                if (Character.isISOControl(character)) {
                    escaped.append(String.format("\\u%04x", (int) character));
                } else {
                    escaped.append(character);
                }
            }
        }
    }
}
