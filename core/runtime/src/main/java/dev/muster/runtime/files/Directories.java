package dev.muster.runtime.files;

import dev.muster.runtime.text.Printable;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/** Makes directories, and removes them. */
public final class Directories {

    static final FileAttribute<Set<PosixFilePermission>> MODE =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-x---"));

    private Directories() {}

    /**
     * Makes a directory and its parents, where they are missing, with mode 0750 less the umask. Other nodes may be making the
     * same ones. Nothing is made where a link of somebody else's leads.
     *
     * @param directory absolute
     * @throws FileException naming the directory and the component in its path that stands in the way
     */
    public static void make(Path directory) throws FileException {
        if (Files.isDirectory(directory)) {
            return;
        }
        Path component = directory.getFileSystem().getPath("/");
        for (Path name : directory) {
            component = component.resolve(name);
            try {
                makeOne(component);
            } catch (FileException refused) {
                throw refused;
            } catch (IOException e) {
                throw new FileException(
                        "cannot make the directory " + Printable.escape(directory.toString()) + ": "
                                + obstacle(directory, component, e),
                        e);
            }
        }
    }

    /**
     * Removes a directory with what is in it, or what else has the name; links are not followed, whoever swaps them meanwhile. What
     * cannot be removed stays.
     */
    public static void remove(Path directory) {
        Path parent = directory.toAbsolutePath().getParent();
        if (parent == null) {
            return;
        }
        try (DirectoryStream<Path> above = Files.newDirectoryStream(parent)) {
            if (above instanceof SecureDirectoryStream<Path> held) {
                remove(held, directory.getFileName());
            }
        } catch (AccessDeniedException notReadable) {
            removeWhereNobodySeesIt(directory);
        } catch (IOException e) {
            // A left-over does not change how a run goes.
        }
    }

    /** Removes what is in a directory, but entries of some names. What cannot be removed stays. */
    static void empty(Path directory, Predicate<String> stays) {
        try (DirectoryStream<Path> entries =
                Files.newDirectoryStream(directory, entry -> !stays.test(String.valueOf(entry.getFileName())))) {
            entries.forEach(Directories::remove);
        } catch (IOException | DirectoryIteratorException unreadable) {
            // As above.
        }
    }

    /** In a directory that may be written but not read. */
    private static void removeWhereNobodySeesIt(Path directory) {
        try {
            if (Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)) {
                try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory)) {
                    if (entries instanceof SecureDirectoryStream<Path> held) {
                        empty(held);
                    }
                }
            }
            Files.deleteIfExists(directory);
        } catch (IOException | DirectoryIteratorException stays) {
            // As above.
        }
    }

    private static void empty(SecureDirectoryStream<Path> directory) {
        List<Path> names = new ArrayList<>();
        directory.forEach(entry -> names.add(entry.getFileName()));
        names.forEach(name -> remove(directory, name));
    }

    /** Removes something in a directory that is held open, whatever the directory is called by now. */
    private static void remove(SecureDirectoryStream<Path> above, Path name) {
        try {
            above.deleteFile(name);
        } catch (IOException noFile) {
            removeDirectory(above, name);
        }
    }

    private static void removeDirectory(SecureDirectoryStream<Path> above, Path name) {
        try {
            try (SecureDirectoryStream<Path> directory = above.newDirectoryStream(name, LinkOption.NOFOLLOW_LINKS)) {
                empty(directory);
            }
            above.deleteDirectory(name);
        } catch (IOException | DirectoryIteratorException stays) {
            // So what is above it stays, too.
        }
    }

    private static void makeOne(Path directory) throws IOException {
        if (isUsable(directory)) {
            return;
        }
        try {
            Files.createDirectory(directory, MODE);
        } catch (FileAlreadyExistsException e) {
            if (!isUsable(directory)) {
                throw e;
            }
        }
    }

    private static boolean isUsable(Path directory) throws IOException {
        if (!Files.isDirectory(directory)) {
            return false;
        }
        Trust.refuseOthersLink(directory, Facts.of(directory, LinkOption.NOFOLLOW_LINKS));
        return true;
    }

    /** Making a directory fails because of its parent, unless something else has its name. */
    private static String obstacle(Path wanted, Path component, IOException problem) {
        if (problem instanceof FileAlreadyExistsException) {
            String kind =
                    Files.isSymbolicLink(component) ? "a link to nothing or no directory" : "a file, not a directory";
            return (component.equals(wanted) ? "it" : Printable.escape(component.toString())) + " is " + kind;
        }
        Path parent = component.getParent();
        return Reasons.of(problem) + " in " + (parent == null ? "/" : Printable.escape(parent.toString()));
    }
}
