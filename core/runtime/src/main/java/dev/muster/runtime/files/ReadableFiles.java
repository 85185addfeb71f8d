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

/** What can be read of files such as those in {@code /proc}: one that is not there, or not for us, has nothing in it. */
public final class ReadableFiles {

    private ReadableFiles() {}

    /** The path of a name. Empty: it has bytes of another encoding than this locale's, and Java cannot look there. */
    public static Optional<Path> path(String name) {
        try {
            return Optional.of(Path.of(name));
        } catch (InvalidPathException otherEncoding) {
            return Optional.empty();
        }
    }

    /** The whole text, a byte for each character. */
    public static String text(Path file) {
        try {
            return new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
        } catch (IOException goneOrRefused) {
            return "";
        }
    }

    /** The rest of the first line that starts so, such as {@code VmRSS: 12 kB}, without blanks around it; empty: there is none. */
    public static String field(String text, String start) {
        return text.lines()
                .filter(line -> line.startsWith(start))
                .map(line -> line.substring(start.length()).strip())
                .findFirst()
                .orElse("");
    }

    /** What is in a directory. */
    public static List<Path> entries(Path directory, String glob) {
        List<Path> found = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory, glob)) {
            entries.forEach(found::add);
        } catch (IOException | DirectoryIteratorException goneOrRefused) {
            return found;
        }
        return found;
    }

    /** Where a link leads. */
    public static String target(Path link) {
        try {
            return Files.readSymbolicLink(link).toString();
        } catch (IOException goneOrRefused) {
            return "";
        }
    }
}
