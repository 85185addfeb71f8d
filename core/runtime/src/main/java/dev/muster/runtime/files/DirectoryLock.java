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
 * Shows that the launcher of a private directory is alive: it holds a lock on a file there. The kernel releases the lock when the JVM
 * dies. So a later launcher can remove the directory of a killed one.
 */
record DirectoryLock(Path directory, FileChannel file) implements AutoCloseable {

    /** The name has the boot id: several machines may share the directory, and a lock may hold on one machine only. */
    static final String FILE = ".alive-"
            + ReadableFiles.text(Path.of("/proc/sys/kernel/random/boot_id")).strip();

    /** Directories of this JVM. If the JVM opened and closed a lock file of its own, the kernel would release the lock. */
    private static final Set<Path> OWN = ConcurrentHashMap.newKeySet();

    /**
     * Locks a new directory, and removes the directories of dead launchers beside it.
     *
     * @throws IOException the file system has no locks; a later launcher cannot tell that this one is dead, so it does not remove the
     *     directory
     */
    static DirectoryLock take(Path directory) throws IOException {
        OWN.add(directory);
        Path unlocked = directory.resolve(TemporaryNames.temporary());
        FileChannel file = FileChannel.open(unlocked, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        try {
            file.lock();
            Files.move(unlocked, directory.resolve(FILE));
            removeStale(Objects.requireNonNull(directory.getParent()));
            return new DirectoryLock(directory, file);
        } catch (IOException noLocks) {
            file.close();
            throw noLocks;
        }
    }

    private static void removeStale(Path parent) {
        try {
            for (Path entry : ReadableFiles.entries(parent, RunDirectory.PREFIX + "*")) {
                FileStatus status = FileStatus.of(entry, LinkOption.NOFOLLOW_LINKS);
                if (status.isDirectory() && status.uid() == Trust.ownUid() && !OWN.contains(entry) && isStale(entry)) {
                    removeIfStale(entry);
                }
            }
        } catch (IOException unreadable) {
            // No directory can be found.
        }
    }

    private static boolean isStale(Path directory) {
        try (FileChannel channel =
                FileChannel.open(directory.resolve(FILE), StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS)) {
            return channel.tryLock() != null;
        } catch (IOException unknown) {
            return false;
        }
    }

    private static void removeIfStale(Path directory) {
        String name = String.valueOf(directory.getFileName());
        // A path without the directory's name may belong to another launcher, unless a file in it has that name.
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
