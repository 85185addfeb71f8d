package dev.muster.runtime.plan;

import dev.muster.runtime.text.Printable;
import dev.muster.runtime.text.Secrets;
import dev.muster.runtime.text.ShellQuotes;
import java.util.List;

/** Writes arguments so that a reader sees where each begins and ends, and can paste them into bash. */
public final class ShellWords {

    private static final String PLAIN = "_-./:=,+@%";

    private ShellWords() {}

    public static String join(List<String> arguments) {
        StringBuilder line = new StringBuilder();
        for (String argument : arguments) {
            line.append(line.isEmpty() ? "" : " ").append(quote(argument));
        }
        return line.toString();
    }

    static String quote(String argument) {
        // The mask is no text of anybody's, and is to be seen as such.
        int end = argument.endsWith(Secrets.MASK) ? argument.length() - Secrets.MASK.length() : argument.length();
        boolean isPlain = !argument.isEmpty();
        for (int at = 0; at < end && isPlain; at++) {
            char character = argument.charAt(at);
            isPlain = (character >= '.' && character <= ':')
                    || Character.isLetterOrDigit(character)
                    || PLAIN.indexOf(character) >= 0;
        }
        if (!Printable.isPlain(argument)) {
            return "$'" + Printable.escape(argument.replace("\\", "\\\\").replace("'", "\\'")) + "'";
        }
        return isPlain ? argument : ShellQuotes.quoted(argument);
    }
}
