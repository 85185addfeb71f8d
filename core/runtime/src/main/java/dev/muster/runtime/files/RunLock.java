package dev.muster.runtime.files;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/**
 * Tells whether the run of a private directory goes on: its launcher holds a lock in it, which the kernel takes back however
 * the launcher ends. What a launcher leaves behind that was killed together with its warden, as when a container is killed and
 * started again, is found so.
 */
final class RunLock implements AutoCloseable {

    private static final String NAME = ".running";

    private final FileChannel file;

    private RunLock(FileChannel file) {
        this.file = file;
    }

    /** Locks a directory that was just made. A file system without locks has none, and is never cleaned. */
    static RunLock of(Path directory) throws IOException {
        Path fresh = directory.resolve(NAME + ".new");
        FileChannel file = FileChannel.open(fresh, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        if (isFree(file)) {
            // Nobody may find the file before it is locked.
            Files.move(fresh, directory.resolve(NAME), StandardCopyOption.ATOMIC_MOVE);
        }
        return new RunLock(file);
    }

    /** The directories of this user's runs beside this one that nobody carries on. */
    static List<Path> abandonedIn(Path parent) {
        List<Path> abandoned = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(parent, RunDirectory.PREFIX + "*")) {
            for (Path entry : entries) {
                if (ClosedPlace.isOwnDirectory(entry) && isAbandoned(entry.resolve(NAME))) {
                    abandoned.add(entry);
                }
            }
        } catch (IOException | DirectoryIteratorException unreadable) {
            // Then there is nothing to be cleaned.
        }
        return abandoned;
    }

    @Override
    public void close() throws IOException {
        file.close();
    }

    private static boolean isAbandoned(Path lock) {
        try (FileChannel file = FileChannel.open(lock, StandardOpenOption.WRITE)) {
            return isFree(file);
        } catch (IOException noLock) {
            return false;
        }
    }

    private static boolean isFree(FileChannel file) {
        try {
            FileLock lock = file.tryLock();
            return lock != null;
        } catch (OverlappingFileLockException ours) {
            return false;
        } catch (IOException unsupported) {
            return false;
        }
    }
}
