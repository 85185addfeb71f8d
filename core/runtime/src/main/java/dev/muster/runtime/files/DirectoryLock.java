package dev.muster.runtime.files;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Says that the launcher of a private directory lives: a file in it is locked, which the kernel undoes when its JVM is dead. So a later
 * launcher removes what a killed one has left.
 */
record DirectoryLock(Path directory, FileChannel file) implements AutoCloseable {

    /** Locks may hold on one machine only, in a directory that several share. */
    static final String FILE = ".alive-"
            + ReadableFiles.text(Path.of("/proc/sys/kernel/random/boot_id")).strip();

    /** Those of this JVM: whoever closed one of their files in it would let go of the lock. */
    private static final Set<Path> OWN = ConcurrentHashMap.newKeySet();

    /**
     * Locks a new directory, and removes those beside it whose launchers are dead.
     *
     * @throws IOException there are no locks: nobody can tell later whether the launcher lives, and nobody removes it
     */
    static DirectoryLock take(Path directory) throws IOException {
        OWN.add(directory);
        Path unlocked = directory.resolve(TemporaryNames.temporary());
        FileChannel file = FileChannel.open(unlocked, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        try {
            file.lock();
            Files.move(unlocked, directory.resolve(FILE));
            removeLeft(Objects.requireNonNull(directory.getParent()));
            return new DirectoryLock(directory, file);
        } catch (IOException noLocks) {
            file.close();
            throw noLocks;
        }
    }

    private static void removeLeft(Path parent) {
        try {
            for (Path entry : ReadableFiles.entries(parent, RunDirectory.PREFIX + "*")) {
                FileStatus status = FileStatus.of(entry, LinkOption.NOFOLLOW_LINKS);
                if (status.isDirectory() && status.uid() == Trust.ownUid() && !OWN.contains(entry) && isLeft(entry)) {
                    removeLeftOne(entry);
                }
            }
        } catch (IOException unreadable) {
            // Then there is nothing to be seen.
        }
    }

    private static boolean isLeft(Path directory) {
        try (FileChannel channel =
                FileChannel.open(directory.resolve(FILE), StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS)) {
            return channel.tryLock() != null;
        } catch (IOException unknown) {
            return false;
        }
    }

    private static void removeLeftOne(Path directory) {
        String name = String.valueOf(directory.getFileName());
        // What has other names may be somebody else's by now, unless a file in it says whose it is.
        new ExternalResources(directory)
                .remove(path ->
                        path.endsWith(name) || Files.isRegularFile(path.resolve(name), LinkOption.NOFOLLOW_LINKS));
        Directories.remove(directory);
    }

    @Override
    public void close() {
        try {
            file.close();
        } catch (IOException gone) {
            // It was never written.
        }
        OWN.remove(directory);
    }
}
