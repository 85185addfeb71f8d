package dev.muster.runtime.files;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Optional;

/**
 * Tells whether the launcher of a private directory goes on: it holds a lock on its {@link RunRecord}, which the kernel takes back
 * however the launcher ends. Locks are seen from other containers too, where the numbers of processes mean nothing.
 */
final class RunLock implements AutoCloseable {

    static final String NAME = ".running";

    /** Its name until it is locked. */
    static final String UNFINISHED = NAME + ".new";

    private final FileChannel file;

    private RunLock(FileChannel file) {
        this.file = file;
    }

    /** Writes the record of a directory that was just made, and locks it. */
    static RunLock of(Path directory, RunRecord record) throws IOException {
        Path fresh = directory.resolve(UNFINISHED);
        RunLock lock = new RunLock(FileChannel.open(fresh, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE));
        lock.add(record.text());
        if (isFree(lock.file)) {
            // Nobody may find the file before it is locked. A file system without locks has none, and is never cleaned.
            Files.move(fresh, directory.resolve(NAME), StandardCopyOption.ATOMIC_MOVE);
        }
        return lock;
    }

    void add(String text) throws IOException {
        ByteBuffer rest = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
        while (rest.hasRemaining()) {
            file.write(rest);
        }
    }

    /** The lock of a launcher that is dead; empty when somebody has it. */
    static Optional<RunLock> takeOver(Path directory) throws IOException {
        FileChannel file = FileChannel.open(
                directory.resolve(NAME), StandardOpenOption.READ, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
        RunLock lock = new RunLock(file.position(file.size()));
        if (isFree(file)) {
            return Optional.of(lock);
        }
        lock.close();
        return Optional.empty();
    }

    /** What stands in the file. */
    Optional<RunRecord> content() throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate((int) Math.min(file.size(), RunRecord.LONGEST));
        while (bytes.hasRemaining() && file.read(bytes, bytes.position()) >= 0) {
            // A read may give less than there is.
        }
        return RunRecord.parse(new String(bytes.array(), 0, bytes.position(), StandardCharsets.UTF_8));
    }

    /** Whether the launcher of a directory, which is not this process, certainly holds none any more. */
    static boolean isGivenUp(Path directory) {
        return isFree(directory.resolve(NAME));
    }

    /** Whether a file can be locked, and nobody has done so. */
    static boolean isFree(Path record) {
        try (FileChannel file = FileChannel.open(record, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS)) {
            return isFree(file);
        } catch (IOException noLock) {
            return false;
        }
    }

    @Override
    public void close() throws IOException {
        file.close();
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
