package dev.muster.runtime.certify;

import dev.muster.runtime.files.Directories;
import dev.muster.runtime.process.ByteText;
import dev.muster.runtime.text.ShellQuotes;
import dev.muster.runtime.text.TextResource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The training command: a shell script, {@code probe.txt}. It writes down what it sees, then behaves as it was told.
 *
 * @param program its file
 * @param seen the directory for what it sees
 */
record Probe(Path program, Path seen) {

    /** Arguments that are hard to pass: empty, with spaces, newlines and shell characters, and with bytes that are not UTF-8. */
    static final List<String> ARGUMENTS = List.of(
            "", " ", "it's \"$HOME\"  `x` \\ *", "two\nlines\t", "\u00fc\u20ac", "\udcff\udcfe", "--x=a b", "-x");

    private static final int LINES = 100;
    private static final String UP = ".up";

    /** What a rank has seen. Texts are decoded by {@link ByteText}. */
    record SeenRank(
            Map<String, String> variables,
            List<String> arguments,
            String directory,
            Set<String> paths,
            long terms,
            boolean hasSaved) {}

    /**
     * Sets the behaviour from now on, and deletes what was seen.
     *
     * @param ranks how many ranks wait for each other
     * @param names of variables that may be paths
     */
    void prepare(String behaviour, int ranks, Set<String> names) throws IOException {
        String text = TextResource.read(Probe.class, "probe.txt")
                .replace("@SEEN@", ShellQuotes.quoted(seen.toString()))
                .replace("@RANKS@", Integer.toString(ranks))
                .replace("@NAMES@", String.join(" ", names))
                .replace("@BEHAVIOUR@", behaviour);
        Directories.remove(seen);
        Directories.make(seen);
        // A shell that still runs the old script keeps its file.
        Files.deleteIfExists(program);
        Files.writeString(program, text);
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    /** Lets waiting ranks continue. */
    void release() throws IOException {
        Directories.make(seen.resolve("go"));
    }

    /** The pids of all ranks that run or ran. */
    List<String> pids() {
        String[] files = seen.toFile().list((directory, name) -> name.endsWith(UP));
        return Stream.of(Objects.requireNonNull(files, "the probe's directory is gone"))
                .map(name -> name.substring(0, name.length() - UP.length()))
                .toList();
    }

    List<SeenRank> ranks() throws IOException {
        List<SeenRank> ranks = new ArrayList<>();
        for (String pid : pids()) {
            ranks.add(rank(pid));
        }
        return ranks;
    }

    /** Whether a text contains all output of the ranks. */
    boolean isComplete(String printed) {
        return pids().stream()
                .allMatch(pid -> printed.contains("probe " + pid + " end")
                        && IntStream.rangeClosed(1, LINES)
                                .allMatch(line -> printed.contains("probe " + pid + " line " + line + "\n")));
    }

    private SeenRank rank(String pid) throws IOException {
        Map<String, String> variables = new TreeMap<>();
        for (String entry : entries(pid + ".variables")) {
            String[] parts = entry.split("=", 2);
            variables.putIfAbsent(parts[0], parts[parts.length - 1]);
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

    /** The entries of a file, each of which ends with a zero byte. */
    private List<String> entries(String file) throws IOException {
        List<String> entries = List.of(text(file).split("\0", -1));
        return entries.subList(0, entries.size() - 1);
    }

    private String text(String file) throws IOException {
        return ByteText.decode(Files.readAllBytes(seen.resolve(file)));
    }
}
