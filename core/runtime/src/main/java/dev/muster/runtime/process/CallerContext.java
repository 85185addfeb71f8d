package dev.muster.runtime.process;

import dev.muster.runtime.errors.MusterException;
import dev.muster.runtime.text.Printable;
import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The context that the caller gave to the launcher. Bytes that are not UTF-8 are in texts in the form of {@link ByteText}, so that they are
 * passed on unchanged.
 *
 * @param arguments of the launcher, without its name
 * @param variables the environment
 * @param directory the working directory of the caller
 * @param pid of the process that gets the launcher's signals
 * @param isInputTerminal whether standard input is a terminal
 */
public record CallerContext(
        List<String> arguments,
        SortedMap<String, String> variables,
        Path directory,
        long pid,
        boolean isInputTerminal) {

    /** Set if {@code muster run} has started the launcher by ssh. The end of standard input then ends the launcher. */
    public static final String BY_SSH = "MUSTER_BY_SSH";

    private static final long VERSION = 1;

    /** Whether standard input is the connection of {@code muster run}. */
    public boolean isBySsh() {
        return variables.containsKey(BY_SSH);
    }

    /** Whether ranks may read standard input: a terminal is the caller's, and a connection is the launcher's. */
    public boolean isInputForRanks() {
        return !isInputTerminal && !isBySsh();
    }

    /** The first message of the launcher. */
    static SupervisorMessage ready() {
        return new SupervisorMessage("ready").with("version", VERSION);
    }

    /**
     * Reads the first message of the supervisor.
     *
     * @throws IOException it is another message, or another version
     * @throws MusterException the caller's directory has no name that Java can express
     */
    static CallerContext of(SupervisorMessage hello) throws IOException {
        if (!hello.kind().equals("hello") || hello.number("version") != VERSION) {
            throw new IOException("it does not speak version " + VERSION);
        }
        SortedMap<String, String> variables = variables(hello.texts("env"));
        return new CallerContext(
                hello.texts("arg"),
                variables,
                directory(hello.text("dir"), variables.getOrDefault("PWD", "")),
                hello.number("pid"),
                hello.number("terminal") == 1);
    }

    /** As in the C library: the first of equal names counts, and an entry without an equals sign is no variable. */
    public static SortedMap<String, String> variables(List<String> assignments) {
        SortedMap<String, String> variables = new TreeMap<>();
        for (String assignment : assignments) {
            int equals = assignment.indexOf('=', 1);
            if (equals > 0) {
                variables.putIfAbsent(assignment.substring(0, equals), assignment.substring(equals + 1));
            }
        }
        return Collections.unmodifiableSortedMap(variables);
    }

    /**
     * The working directory.
     *
     * @param named the shell's PWD, which also names a deleted directory
     * @throws MusterException the directory was deleted, or Java cannot name it
     */
    public static Path directory(String found, String named) {
        String text = found.isEmpty() ? named : found;
        if (!text.startsWith("/")) {
            throw MusterException.configuration("the working directory was deleted. Start the launcher in another one");
        }
        try {
            return Path.of(text);
        } catch (InvalidPathException unreadable) {
            throw MusterException.configuration(
                    "the name of the current directory (" + Printable.quote(text)
                            + ") is no UTF-8, or there is no locale C.UTF-8 here: change into another one, or set LC_ALL=C.UTF-8");
        }
    }
}
