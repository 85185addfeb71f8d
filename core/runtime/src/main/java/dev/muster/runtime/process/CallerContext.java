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
 * What the caller has given the launcher. Bytes that are no UTF-8 stand in texts as {@link ByteText} has them, so that they are handed on
 * unchanged.
 *
 * @param arguments of the launcher, without its name
 * @param variables the environment
 * @param directory where it was called
 * @param pid of the process that gets the launcher's signals
 * @param isInputTerminal whether standard input is one
 */
public record CallerContext(
        List<String> arguments,
        SortedMap<String, String> variables,
        Path directory,
        long pid,
        boolean isInputTerminal) {

    /** Set where {@code muster run} has started the launcher by ssh, whose end of standard input ends the launcher. */
    public static final String BY_SSH = "MUSTER_BY_SSH";

    private static final long VERSION = 1;

    /** Whether standard input is the connection of {@code muster run}. */
    public boolean isBySsh() {
        return variables.containsKey(BY_SSH);
    }

    /** A terminal is the caller's, and a connection is the launcher's. */
    public boolean isInputForRanks() {
        return !isInputTerminal && !isBySsh();
    }

    /** What the launcher says first. */
    static SupervisorMessage ready() {
        return new SupervisorMessage("ready").with("version", VERSION);
    }

    /**
     * What the supervisor says first.
     *
     * @throws IOException it says something else, or speaks another version
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

    /** As the C library does it: the first of equal names counts, and what has no equals sign is no variable. */
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
     * @param named by the shell, which knows the name of one that was deleted
     * @throws MusterException it was deleted, or Java cannot name it
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
