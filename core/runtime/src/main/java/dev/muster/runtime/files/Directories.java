package dev.muster.runtime.files;

import dev.muster.runtime.text.Printable;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import org.jspecify.annotations.Nullable;

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

    /** Removes a directory with what is in it. What cannot be removed stays. */
    public static void remove(Path directory) {
        try {
            Files.walkFileTree(directory, new Remover());
        } catch (IOException e) {
            // A left-over does not change how a run goes.
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
        Facts facts = Facts.of(directory, LinkOption.NOFOLLOW_LINKS);
        if (facts.isLink() && !Trust.isTrusted(facts.uid())) {
            throw new FileException(Printable.escape(directory.toString()) + " is a link of uid " + facts.uid()
                    + ", which is neither root nor you, and is not followed");
        }
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

    /** Removes what it can and follows no links. */
    private static final class Remover extends SimpleFileVisitor<Path> {

        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            return remove(file);
        }

        @Override
        public FileVisitResult visitFileFailed(Path file, IOException problem) {
            return remove(file);
        }

        @Override
        public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException problem) {
            return remove(directory);
        }

        private static FileVisitResult remove(Path entry) {
            try {
                Files.deleteIfExists(entry);
            } catch (IOException e) {
                return FileVisitResult.CONTINUE;
            }
            return FileVisitResult.CONTINUE;
        }
    }
}
