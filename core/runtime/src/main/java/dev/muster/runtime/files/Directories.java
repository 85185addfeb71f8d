package dev.muster.runtime.files;

import dev.muster.runtime.text.Printable;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/** Makes directories. */
public final class Directories {

    private static final FileAttribute<Set<PosixFilePermission>> MODE =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-x---"));

    private Directories() {}

    /**
     * Makes a directory and its parents, where they are missing, with mode 0750 less the umask. Other nodes may be making the
     * same ones.
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
            } catch (IOException e) {
                throw new FileException(
                        "cannot make the directory " + Printable.escape(directory.toString()) + ": "
                                + obstacle(directory, component, e),
                        e);
            }
        }
    }

    private static void makeOne(Path directory) throws IOException {
        if (Files.isDirectory(directory)) {
            return;
        }
        try {
            Files.createDirectory(directory, MODE);
        } catch (FileAlreadyExistsException e) {
            if (!Files.isDirectory(directory)) {
                throw e;
            }
        }
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
