package dev.muster.runtime.files;

import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/** The permissions of new files and directories. The umask may remove some. */
final class Modes {

    static final FileAttribute<Set<PosixFilePermission>> FILE = of("rw-r-----");
    static final FileAttribute<Set<PosixFilePermission>> FILE_FOR_ALL = of("rw-r--r--");
    static final FileAttribute<Set<PosixFilePermission>> DIRECTORY = of("rwxr-x---");
    static final FileAttribute<Set<PosixFilePermission>> PRIVATE_DIRECTORY = of("rwx------");

    private Modes() {}

    private static FileAttribute<Set<PosixFilePermission>> of(String permissions) {
        return PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions));
    }
}
