package dev.muster.runtime.files;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Predicate;

/**
 * What a run has outside of its private directory, and what goes with it: its processes list it in a file there, for the case that
 * they are killed. A line is an absolute path; with a slash at its end it is a directory that is removed when it is empty.
 *
 * @param directory the private one
 */
record ExternalResources(Path directory) {

    private static final String FILE = "elsewhere";
    private static final int LONGEST = 1024 * 1024;

    /**
     * Removes what is listed.
     *
     * @param which paths count, of those that are not removed when they are empty alone
     */
    void remove(Predicate<Path> which) {
        for (String line : lines()) {
            try {
                Path path = Path.of(line);
                if (isHarmless(path) && line.endsWith("/")) {
                    removeEmpty(path);
                } else if (isHarmless(path) && which.test(path)) {
                    Directories.remove(path);
                }
            } catch (InvalidPathException noPath) {
                // Nobody has made it then.
            }
        }
    }

    private static void removeEmpty(Path path) {
        try {
            if (Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
                Files.delete(path);
            }
        } catch (IOException notEmpty) {
            // Somebody else has something there.
        }
    }

    /** Nothing that is at the top of the machine, or that somebody could mean otherwise. */
    private static boolean isHarmless(Path path) {
        return path.isAbsolute() && path.getNameCount() >= 2 && path.equals(path.normalize());
    }

    private List<String> lines() {
        try {
            // Where others can exchange the private directory they must not choose what is removed.
            String text = new String(SafeFile.read(directory.resolve(FILE), LONGEST), StandardCharsets.UTF_8);
            // The last line may not be finished.
            return text.substring(0, text.lastIndexOf('\n') + 1)
                    .lines()
                    .distinct()
                    .toList();
        } catch (IOException unreadable) {
            return List.of();
        }
    }
}
