package dev.muster.runtime.files;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.OptionalInt;

/** Whom the files belong to that this process makes in a directory: file servers may give all files of all users to one. */
final class CreatedOwner {

    private static final FileAttribute<?> MODE =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

    private CreatedOwner() {}

    /** Finds it out by making one; empty where none can be made. */
    static OptionalInt in(Path directory) {
        try {
            Path file = Files.createFile(directory.resolve(TemporaryNames.temporary()), MODE);
            try {
                return OptionalInt.of(
                        FileStatus.of(file, LinkOption.NOFOLLOW_LINKS).uid());
            } finally {
                Files.deleteIfExists(file);
            }
        } catch (IOException cannotBeMade) {
            return OptionalInt.empty();
        }
    }
}
