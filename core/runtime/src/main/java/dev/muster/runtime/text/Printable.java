package dev.muster.runtime.text;

/** Makes foreign text safe in Muster's messages: a pod name must not control the terminal or break the log. */
public final class Printable {

    private Printable() {}

    /**
     * The text on one line. Control characters, and characters that move, hide or reorder others, are written as {@code \n}, {@code \t},
     * <code>\</code>{@code u001b}.
     */
    public static String escape(String text) {
        if (isPlain(text)) {
            return text;
        }
        StringBuilder escaped = new StringBuilder(text.length() + 16);
        text.codePoints().forEach(character -> append(escaped, character));
        return escaped.toString();
    }

    /** Whether the text is its own printable form. */
    public static boolean isPlain(String text) {
        // A stream would be slow: every cell of every plan passes here.
        for (int at = 0; at < text.length(); at++) {
            char character = text.charAt(at);
            if (character < ' ' || character >= 0x7f) {
                return text.codePoints().skip(at).allMatch(Printable::isPlain);
            }
        }
        return true;
    }

    /** The text escaped and in double quotes. */
    public static String quote(String text) {
        return "\"" + escape(text) + "\"";
    }

    private static void append(StringBuilder escaped, int character) {
        switch (character) {
            case '\n' -> escaped.append("\\n");
            case '\t' -> escaped.append("\\t");
            case '\r' -> escaped.append("\\r");
            default -> {
                if (isPlain(character)) {
                    escaped.appendCodePoint(character);
                } else {
                    for (char unit : Character.toChars(character)) {
                        escaped.append(String.format("\\u%04x", (int) unit));
                    }
                }
            }
        }
    }

    /** Whether a character is visible as itself. Format characters change the direction of text, or are invisible. */
    public static boolean isPlain(int character) {
        if (character < 0x7f) {
            return character >= ' ';
        }
        return switch (Character.getType(character)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.SURROGATE -> false;
            default -> true;
        };
    }
}
