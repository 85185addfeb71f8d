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
 * Where the logs and results of a launcher go, from its first run to its end: a directory of its own below the usual one, when another
 * launcher writes the same files there. The first has their names until it ends, however it ends: a hidden file is locked. Where files
 * cannot be locked, nobody can tell, and all have them.
 */
public final class LogDirectoryClaim implements AutoCloseable {

    private static final int LONGEST = 1000;

    private @Nullable RunIdentity identity;
    private @Nullable Path file;
    private @Nullable FileChannel channel;
    /** What another launcher says of itself that has the names. */
    private Optional<String> other = Optional.empty();

    /**
     * Claims the usual directory, unless that was done before.
     *
     * @param mine who this launcher is
     * @param warn told about other launchers
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

    /** Where they are, when the usual place is this one. */
    public Path in(Path usual) {
        return identity == null || other.isEmpty() ? usual : usual.resolve(identity.run());
    }

    /** Gives the names up. */
    @Override
    public void close() {
        FileChannel locked = channel;
        if (locked != null && file != null) {
            try (locked) {
                // As long as it is locked, so that nobody else's is removed.
                Files.deleteIfExists(file);
            } catch (IOException stays) {
                // An empty claim: the next launcher takes it.
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
            // Nothing can be written there, or it is a file system without locks.
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
            // It is locked all the same; the others do not learn by whom.
        }
    }

    /** Whoever has just got the names may not have written its line. */
    private static String others(FileChannel channel) throws IOException {
        ByteBuffer content = ByteBuffer.allocate(LONGEST);
        int length = Math.max(0, channel.read(content, 0));
        return length == 0
                ? "a launcher that has just begun"
                : new String(content.array(), 0, length, StandardCharsets.UTF_8);
    }
}
