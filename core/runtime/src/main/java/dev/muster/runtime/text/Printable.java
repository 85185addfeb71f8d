package dev.muster.runtime.text;

/** Makes foreign text safe inside our own messages: a pod name must not be able to rewrite the terminal or the log. */
public final class Printable {

    private Printable() {}

    /**
     * The text on one line, as it is read: with control characters, and with what moves, hides or reorders other characters,
     * written as {@code \n}, {@code \t}, <code>\</code>{@code u001b}.
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
        // Not a stream: every cell of every plan comes along here.
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

    /** Whether a character is seen as what it is. Formats are marks that change the direction of a text or are not seen at all. */
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
