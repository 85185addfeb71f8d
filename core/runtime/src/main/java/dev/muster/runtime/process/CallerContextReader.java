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

/** Reads what the supervisor says first. */
final class CallerContextReader {

    private static final long VERSION = 1;

    private CallerContextReader() {}

    /**
     * What it says of the caller.
     *
     * @throws IOException it says something else, or speaks another version
     * @throws MusterException the caller's directory has no name that Java can express
     */
    static CallerContext read(EventRecord hello) throws IOException {
        if (hello.kind() != EventKind.HELLO) {
            throw new IOException("it begins with " + hello.kind());
        }
        long version = hello.number("version");
        if (version != VERSION) {
            throw new IOException("it speaks version " + version + ", this launcher version " + VERSION);
        }
        return new CallerContext(
                hello.texts("arg"),
                variables(hello.texts("env")),
                directory(hello.text("dir")),
                hello.number("pid"),
                hello.number("ignored"),
                hello.number("terminal") == 1,
                hello.number("first") == 1);
    }

    static OrderRecord ready() {
        return new OrderRecord("ready").number("version", VERSION);
    }

    /** As the C library does it: the first of equal names counts, and what has no equals sign is no variable. */
    private static SortedMap<String, String> variables(List<String> assignments) {
        SortedMap<String, String> variables = new TreeMap<>();
        for (String assignment : assignments) {
            int equals = assignment.indexOf('=', 1);
            if (equals > 0) {
                variables.putIfAbsent(assignment.substring(0, equals), assignment.substring(equals + 1));
            }
        }
        return Collections.unmodifiableSortedMap(variables);
    }

    private static Path directory(String text) {
        try {
            return Path.of(text);
        } catch (InvalidPathException unreadable) {
            throw MusterException.configuration(
                    "the name of the current directory (" + Printable.quote(text)
                            + ") is no UTF-8, or this locale cannot express it: change into another one, or set LC_ALL=C.UTF-8");
        }
    }
}
