package dev.muster.runtime.commands;

import dev.muster.runtime.text.ShellQuotes;
import java.nio.file.Path;

/**
 * A shell script that changes variables, and may contain scripts of others. Everything that they print goes to standard error. The
 * variables before and after go to standard output, as data.
 *
 * <p>The data are entries that end with a zero byte, in three blocks that end with an empty entry: the variables before, the files that
 * were read, the variables after.
 */
public final class VariableScript {

    private static final String HEAD = """
            exec 3>&1 1>&2
            muster_env=$(command -v env) || exit 127
            "$muster_env" -0 >&3
            command printf '\\0' >&3
            """;

    private static final String TAIL = """
            command printf '\\0' >&3
            "$muster_env" -0 >&3
            command printf '\\0' >&3
            """;

    private final StringBuilder body = new StringBuilder();

    /** Sets a variable. The name must be one that shells know. */
    public VariableScript export(String name, String value) {
        return line("export " + name + "=" + ShellQuotes.quoted(value));
    }

    /** Takes a variable away. The name must be one that shells know. */
    public VariableScript unset(String name) {
        return line("unset " + name);
    }

    /** Puts a directory in front of a list of directories, whatever bytes the others are. */
    public VariableScript prepend(String name, Path directory) {
        return line("export " + name + "=" + ShellQuotes.quoted(directory.toString()) + "\"${" + name + ":+:$" + name
                + "}\"");
    }

    /** Reads another script in the same shell. */
    public VariableScript source(Path file) {
        String word = ShellQuotes.quoted(file.toString());
        return line("command printf '%s\\0' " + word + " >&3").line(". " + word + " 3>&-");
    }

    String text() {
        return HEAD + body + TAIL;
    }

    private VariableScript line(String line) {
        body.append(line).append('\n');
        return this;
    }
}
