package dev.muster.runtime.files;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/** Whom the files belong to that this process makes in a directory: file servers may give all files of all users to one. */
final class CreatedOwner {

    private static final Set<OpenOption> CREATE =
            Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
    private static final FileAttribute<?> MODE =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

    private CreatedOwner() {}

    /** Finds it out by making one; empty where none can be made. */
    static OptionalInt in(Path directory) {
        String name = Names.temporary();
        Path file = directory.resolve(name);
        try (FileChannel made = FileChannel.open(file, CREATE, MODE)) {
            return made.isOpen() ? ownerOfOpen(name) : OptionalInt.empty();
        } catch (IOException cannotBeMade) {
            return OptionalInt.empty();
        } finally {
            remove(file);
        }
    }

    /** Not of what has the name: whoever can write to the directory can have exchanged it. */
    private static OptionalInt ownerOfOpen(String name) throws IOException {
        Optional<Path> descriptor =
                Descriptors.find(open -> Files.readSymbolicLink(open).endsWith(name));
        return descriptor.isEmpty()
                ? OptionalInt.empty()
                : OptionalInt.of(Facts.of(descriptor.get()).uid());
    }

    private static void remove(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException stays) {
            // An empty file.
        }
    }
}
