package dev.muster.runtime.files;

import dev.muster.runtime.errors.MusterException;
import dev.muster.runtime.text.Printable;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The private temporary directory of one run. It comes to be when it is first asked for, and is removed with its content. */
public final class RunDirectory implements AutoCloseable {

    private static final FileAttribute<Set<PosixFilePermission>> MODE =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

    private final List<String> parents;
    private @Nullable Path path;

    private RunDirectory(List<String> parents) {
        this.parents = parents;
    }

    /**
     * Nothing is made yet.
     *
     * @param environment {@code XDG_RUNTIME_DIR} is tried first, then {@code TMPDIR}
     * @param others places that are tried last, in this order
     */
    public static RunDirectory of(Map<String, String> environment, List<String> others) {
        List<String> parents = new ArrayList<>(3);
        for (String name : List.of("XDG_RUNTIME_DIR", "TMPDIR")) {
            String value = environment.getOrDefault(name, "");
            if (value.startsWith("/")) {
                parents.add(value);
            }
        }
        parents.addAll(others);
        return new RunDirectory(List.copyOf(parents));
    }

    /**
     * The directory, with mode 0700.
     *
     * @throws MusterException when no place for temporary files can be written
     */
    public synchronized Path path() {
        if (path == null) {
            path = make();
        }
        return path;
    }

    /** Removes the directory, if it was made. What cannot be removed stays. */
    @Override
    public synchronized void close() {
        if (path == null) {
            return;
        }
        try {
            Files.walkFileTree(path, new Remover());
        } catch (IOException e) {
            // The run is over and its verdict is known; a left-over in a temporary place does not change it.
        }
        path = null;
    }

    private Path make() {
        List<String> problems = new ArrayList<>(parents.size());
        for (String parent : parents) {
            try {
                return makeIn(Path.of(parent));
            } catch (IOException e) {
                problems.add(Printable.escape(parent) + " (" + Reasons.of(e) + ")");
            } catch (InvalidPathException e) {
                problems.add(Printable.escape(parent) + " (no path)");
            }
        }
        throw MusterException.configuration("cannot make a private temporary directory in "
                + String.join(", ", problems) + ". Set TMPDIR to a directory that can be written");
    }

    private static Path makeIn(Path parent) throws IOException {
        while (true) {
            try {
                return Files.createDirectory(parent.toAbsolutePath().resolve(Names.unused("muster-", "")), MODE);
            } catch (FileAlreadyExistsException e) {
                // Somebody has drawn the same name; the next draw is a different one.
            }
        }
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
