package dev.muster.runtime.certify;

import dev.muster.runtime.files.Directories;
import dev.muster.runtime.process.ByteText;
import dev.muster.runtime.text.ShellQuotes;
import dev.muster.runtime.text.TextResource;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The training command: a shell script, {@code probe.txt}, that notes what it sees, and then behaves as it is told. */
final class Probe {

    /** Empty words, words of several words and lines, with what shells know, bytes that are no UTF-8. */
    static final List<String> ARGUMENTS = List.of(
            "",
            " ",
            "a  b",
            "it's \"$HOME\" `x` \\ *",
            "two\nlines\t",
            "\u00fc\u20ac",
            "\udcff\udcfe",
            "--x=a b",
            "-x");

    private static final int LINES = 100;
    private static final String UP = ".up";

    private final Path program;
    private final Path seen;

    /** What a rank has seen: texts of the kernel, as {@link ByteText} has them. */
    record SeenRank(
            Map<String, String> variables,
            List<String> arguments,
            String directory,
            Set<String> paths,
            long terms,
            boolean hasSaved) {}

    /** @param directory to be the probe's own */
    Probe(Path directory) {
        program = directory.resolve("probe");
        seen = directory.resolve("seen");
    }

    Path program() {
        return program;
    }

    /**
     * Lets it behave in some way from now on, and forgets what it has seen.
     *
     * @param ranks how many of them wait for each other
     * @param names of variables that may be paths
     */
    void prepare(String behaviour, int ranks, Set<String> names) {
        String text = TextResource.read(Probe.class, "probe.txt")
                .replace("@SEEN@", ShellQuotes.quoted(seen.toString()))
                .replace("@RANKS@", Integer.toString(ranks))
                .replace("@NAMES@", names.isEmpty() ? "PATH" : String.join(" ", names))
                .replace("@BEHAVIOUR@", behaviour);
        try {
            Directories.remove(seen);
            Directories.make(seen);
            // A shell that runs the old text goes on with it.
            Files.deleteIfExists(program);
            Files.writeString(program, text);
            Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
        } catch (IOException refused) {
            throw new UncheckedIOException(refused);
        }
    }

    /** Lets those that wait go on. */
    void go() {
        try {
            Directories.make(seen.resolve("go"));
        } catch (IOException refused) {
            throw new UncheckedIOException(refused);
        }
    }

    /** The pids of ranks that are there, or were. */
    List<String> pids() {
        try (Stream<Path> files = Files.list(seen)) {
            return files.map(file -> String.valueOf(file.getFileName()))
                    .filter(name -> name.endsWith(UP))
                    .map(name -> name.substring(0, name.length() - UP.length()))
                    .toList();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    List<SeenRank> ranks() {
        return pids().stream().map(this::rank).toList();
    }

    /** Whether all that the ranks have printed is in a text. */
    boolean isWhole(String printed) {
        return pids().stream()
                .allMatch(pid -> printed.contains("probe " + pid + " end")
                        && IntStream.rangeClosed(1, LINES)
                                .allMatch(line -> printed.contains("probe " + pid + " line " + line + "\n")));
    }

    private SeenRank rank(String pid) {
        Map<String, String> variables = new TreeMap<>();
        for (String entry : entries(pid + ".variables")) {
            int end = entry.indexOf('=');
            variables.putIfAbsent(entry.substring(0, Math.max(0, end)), entry.substring(end + 1));
        }
        List<String> words = entries(pid + ".words");
        return new SeenRank(
                variables,
                words.subList(words.indexOf(program.toString()) + 1, words.size()),
                text(pid + ".directory"),
                Set.copyOf(entries(pid + ".paths")),
                text(pid + ".terms").lines().count(),
                Files.exists(seen.resolve(pid + ".saved")));
    }

    /** Each has a zero byte behind it. */
    private List<String> entries(String file) {
        List<String> entries = List.of(text(file).split("\0", -1));
        return entries.subList(0, entries.size() - 1);
    }

    private String text(String file) {
        try {
            Path path = seen.resolve(file);
            return Files.exists(path) ? ByteText.decode(Files.readAllBytes(path)) : "";
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
