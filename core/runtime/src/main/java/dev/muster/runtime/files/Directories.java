package dev.muster.runtime.files;

import dev.muster.runtime.text.Printable;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Makes directories, and removes them. */
public final class Directories {

    private Directories() {}

    /**
     * Makes a directory and its parents, where they are missing, with mode 0750 less the umask. Other nodes may make the same directories
     * at once. Links of other users are not followed.
     *
     * @param directory absolute
     * @throws FileException names the directory and the path component that is in the way
     */
    public static void make(Path directory) throws FileException {
        try {
            if (!Files.isDirectory(directory)) {
                Trust.refuseOthersLinks(directory);
                makeEach(directory);
            }
        } catch (FileException refused) {
            throw refused;
        } catch (IOException e) {
            throw new FileException(
                    "cannot make the directory " + Printable.escape(directory.toString()) + ": "
                            + obstacle(directory, e),
                    e);
        }
    }

    /** Makes each directory in turn, as {@code mkdir -p} does: a directory before {@code ..} must exist for all users of the path. */
    private static void makeEach(Path directory) throws IOException {
        Path parent = directory.getParent();
        if (parent != null && !Files.exists(parent)) {
            makeEach(parent);
        }
        try {
            Files.createDirectory(directory, Modes.DIRECTORY);
        } catch (FileAlreadyExistsException somebody) {
            if (!Files.isDirectory(directory)) {
                throw somebody;
            }
        }
    }

    /**
     * Makes a directory that others may write to, such as the log directory. Links of other users on the way are refused, even if the
     * directory exists.
     *
     * @param directory absolute
     * @throws FileException it cannot be made, or another user has put a link on the way
     */
    public static void makeShared(Path directory) throws FileException {
        try {
            Trust.refuseOthersLinks(directory);
            make(directory);
            Trust.refuseOthersLinks(directory);
        } catch (FileException refused) {
            throw refused;
        } catch (IOException unreadable) {
            throw new FileException(
                    "cannot use the directory " + Printable.escape(directory.toString()) + ": "
                            + IoReasons.of(unreadable),
                    unreadable);
        }
    }

    /** Removes a directory with its content, or a file of this name. Links are not followed. What cannot be removed stays. */
    public static void remove(Path directory) {
        if (Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)) {
            empty(directory, name -> false);
        }
        try {
            Files.deleteIfExists(directory);
        } catch (IOException stays) {
            // A leftover does not affect the run.
        }
    }

    /** Removes the content of a directory, except certain names. What cannot be removed stays. */
    static void empty(Path directory, Predicate<String> stays) {
        try (DirectoryStream<Path> entries =
                Files.newDirectoryStream(directory, entry -> !stays.test(String.valueOf(entry.getFileName())))) {
            entries.forEach(Directories::remove);
        } catch (IOException | DirectoryIteratorException unreadable) {
            // As above.
        }
    }

    /** A directory cannot be made because of its parent, unless a file has its name. */
    private static String obstacle(Path wanted, IOException problem) {
        @Nullable String file = problem instanceof FileSystemException system ? system.getFile() : null;
        Path component = file == null ? wanted : Path.of(file);
        if (problem instanceof FileAlreadyExistsException) {
            return (component.equals(wanted) ? "it" : Printable.escape(component.toString())) + " is no directory";
        }
        return IoReasons.of(problem) + " in " + Printable.escape(String.valueOf(component.getParent()));
    }
}
