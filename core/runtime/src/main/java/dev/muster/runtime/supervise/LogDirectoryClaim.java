package dev.muster.runtime.supervise;

import dev.muster.runtime.files.SafeFile;
import dev.muster.runtime.text.Printable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The directory for the logs and results of a launcher. If another launcher already writes the same files, this one gets a subdirectory of
 * its own. The first launcher holds the names by a lock on a hidden file until it ends. Where files cannot be locked, all use the usual
 * directory.
 */
public final class LogDirectoryClaim implements AutoCloseable {

    private static final int LONGEST = 1000;

    private @Nullable RunIdentity identity;
    private @Nullable Path file;
    private @Nullable FileChannel channel;
    /** How the launcher that holds the names describes itself. */
    private Optional<String> other = Optional.empty();

    /**
     * Claims the usual directory, unless that was done before.
     *
     * @param mine who this launcher is
     * @param warn gets a line about another launcher
     * @return where the logs go
     */
    Path claim(Path usual, RunIdentity mine, Consumer<String> warn) {
        if (identity == null || !identity.stem().equals(mine.stem())) {
            close();
            identity = mine;
            lock(usual.resolve("." + mine.stem() + ".lock"), mine.describe());
            other.ifPresent(words -> warn.accept("another launcher of job " + mine.job() + " (" + mine.part()
                    + ") is writing to " + Printable.escape(usual.toString()) + ": " + words
                    + ". The logs and the result of this " + mine.describe() + " are in "
                    + Printable.escape(in(usual).toString())));
        }
        return in(usual);
    }

    /** The directory of this launcher's files, given the usual directory. */
    public Path in(Path usual) {
        return identity == null || other.isEmpty() ? usual : usual.resolve(identity.run());
    }

    /** Releases the names. */
    @Override
    public void close() {
        FileChannel locked = channel;
        if (locked != null && file != null) {
            try (locked) {
                // While the lock is held, so that this never removes the file of another launcher.
                Files.deleteIfExists(file);
            } catch (IOException stays) {
                // The file stays without a lock: the next launcher takes it.
            }
        }
        channel = null;
        other = Optional.empty();
        identity = null;
    }

    private void lock(Path name, String who) {
        file = name;
        try {
            lock(SafeFile.openOrMake(name, StandardOpenOption.READ), name, who);
        } catch (IOException cannotBeLocked) {
            // The directory cannot be written, or its file system has no locks.
        }
    }

    private void lock(FileChannel opened, Path name, String who) throws IOException {
        try {
            if (isLockedNow(name, opened)) {
                describe(opened, who);
                channel = opened;
            } else {
                other = Optional.of(others(opened));
            }
        } finally {
            if (channel == null) {
                opened.close();
            }
        }
    }

    private static boolean isLockedNow(Path file, FileChannel channel) throws IOException {
        try {
            return channel.tryLock() != null;
        } catch (OverlappingFileLockException anotherInThisProcess) {
            return false;
        } catch (IOException noLocks) {
            Files.deleteIfExists(file);
            throw noLocks;
        }
    }

    private static void describe(FileChannel channel, String who) {
        try {
            channel.truncate(0);
            channel.write(ByteBuffer.wrap(who.getBytes(StandardCharsets.UTF_8)), 0);
        } catch (IOException diskFull) {
            // The lock holds all the same; other launchers cannot name its holder.
        }
    }

    /** The description of the holder. A holder that has just locked the file may not have written it yet. */
    private static String others(FileChannel channel) throws IOException {
        ByteBuffer content = ByteBuffer.allocate(LONGEST);
        int length = Math.max(0, channel.read(content, 0));
        return length == 0
                ? "a launcher that has just begun"
                : new String(content.array(), 0, length, StandardCharsets.UTF_8);
    }
}
