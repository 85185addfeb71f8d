package dev.muster.runtime.files;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads files such as those in {@code /proc}. A file that is missing or not readable counts as empty. */
public final class ReadableFiles {

    private ReadableFiles() {}

    /** The path of a name. Empty if this locale's encoding cannot express the name, so that Java cannot open it. */
    public static Optional<Path> path(String name) {
        try {
            return Optional.of(Path.of(name));
        } catch (InvalidPathException otherEncoding) {
            return Optional.empty();
        }
    }

    /** The whole text, one character for each byte. */
    public static String text(Path file) {
        try {
            return new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
        } catch (IOException goneOrRefused) {
            return "";
        }
    }

    /** The stripped rest of the first line with this start, such as {@code VmRSS: 12 kB}; empty: no such line. */
    public static String field(String text, String start) {
        return text.lines()
                .filter(line -> line.startsWith(start))
                .map(line -> line.substring(start.length()).strip())
                .findFirst()
                .orElse("");
    }

    /** The entries of a directory. */
    public static List<Path> entries(Path directory, String glob) {
        List<Path> found = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory, glob)) {
            entries.forEach(found::add);
        } catch (IOException | DirectoryIteratorException goneOrRefused) {
            return found;
        }
        return found;
    }

    /** The target of a link. */
    public static String target(Path link) {
        try {
            return Files.readSymbolicLink(link).toString();
        } catch (IOException goneOrRefused) {
            return "";
        }
    }
}
