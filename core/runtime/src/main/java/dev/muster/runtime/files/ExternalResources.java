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
 * Files of a run outside its private directory, which must be removed with it. The processes list them in a file there, because they may
 * be killed before they remove them. Each line is an absolute path. A slash at its end means a directory that is removed only when empty.
 *
 * @param directory the private directory
 */
record ExternalResources(Path directory) {

    private static final String FILE = "elsewhere";
    private static final int LONGEST = 1024 * 1024;

    /**
     * Removes the listed files.
     *
     * @param which selects the paths to remove; not asked for directories that are removed only when empty
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
                // Such a file cannot exist.
            }
        }
    }

    private static void removeEmpty(Path path) {
        try {
            if (Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
                Files.delete(path);
            }
        } catch (IOException notEmpty) {
            // It is in use by others.
        }
    }

    /** Refuses the top directories of the machine, and paths that are not in normal form. */
    private static boolean isHarmless(Path path) {
        return path.isAbsolute() && path.getNameCount() >= 2 && path.equals(path.normalize());
    }

    private List<String> lines() {
        try {
            // If others can replace the private directory, they must not choose what is removed.
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
