package dev.muster.runtime.plan;

import dev.muster.runtime.text.Printable;
import dev.muster.runtime.text.Secrets;
import dev.muster.runtime.text.ShellQuotes;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Writes arguments so that a reader sees where each begins and ends, and can paste them into bash. */
public final class ShellWords {

    private static final Pattern PLAIN = Pattern.compile("[\\p{L}\\p{Nd}_./:=,+@%-]*");

    private ShellWords() {}

    public static String join(List<String> arguments) {
        return arguments.stream().map(ShellWords::quote).collect(Collectors.joining(" "));
    }

    static String quote(String argument) {
        if (!Printable.isPlain(argument)) {
            return "$'" + Printable.escape(argument.replace("\\", "\\\\").replace("'", "\\'")) + "'";
        }
        // The mask is not quoted, so that readers see it is a mask.
        int end = argument.endsWith(Secrets.MASK) ? argument.length() - Secrets.MASK.length() : argument.length();
        boolean isPlain =
                !argument.isEmpty() && PLAIN.matcher(argument.substring(0, end)).matches();
        return isPlain ? argument : ShellQuotes.quoted(argument);
    }
}
