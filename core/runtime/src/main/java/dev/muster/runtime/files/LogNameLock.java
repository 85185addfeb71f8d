package dev.muster.runtime.files;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Whose names in a directory are, where several launchers may run that would write the same files. The first has them until it
 * ends, however it ends: a hidden file there is locked. Where files cannot be locked, nobody can tell, and all have them.
 */
public final class LogNameLock implements AutoCloseable {

    private static final int LONGEST = 1000;
    private static final int MOST_TRIES = 100;

    private final Path file;
    private final @Nullable FileChannel channel;
    private final Optional<String> other;

    private LogNameLock(Path file, @Nullable FileChannel channel, Optional<String> other) {
        this.file = file;
        this.channel = channel;
        this.other = other;
    }

    /**
     * Claims the names.
     *
     * @param directory where they are
     * @param stem what they have in common
     * @param who one line about this launcher, for the others
     */
    public static LogNameLock make(Path directory, String stem, String who) {
        Path file = directory.resolve("." + stem + ".lock");
        try {
            for (int tries = 0; tries < MOST_TRIES; tries++) {
                Optional<LogNameLock> made = tryToMake(file, who);
                if (made.isPresent()) {
                    return made.get();
                }
            }
        } catch (IOException cannotBeLocked) {
            // Nothing can be written there, or it is a file system without locks.
        }
        return new LogNameLock(file, null, Optional.empty());
    }

    /** What another launcher says of itself that has the names; empty: nobody else is known to have them. */
    public Optional<String> other() {
        return other;
    }

    /** Gives the names up. */
    @Override
    public void close() {
        if (channel != null) {
            try (channel) {
                // As long as it is locked, so that nobody else's is removed.
                Files.deleteIfExists(file);
            } catch (IOException stays) {
                // An empty claim: the next launcher takes it.
            }
        }
    }

    /** Empty when the file was removed meanwhile by whoever had the names before. */
    private static Optional<LogNameLock> tryToMake(Path file, String who) throws IOException {
        FileChannel channel = SafeFile.openOrMake(file, StandardOpenOption.READ);
        boolean isOurs = false;
        try {
            if (!isLockedNow(file, channel)) {
                return Optional.of(new LogNameLock(file, null, Optional.of(others(channel))));
            }
            isOurs = hasName(file);
            if (!isOurs) {
                return Optional.empty();
            }
            describe(channel, who);
            return Optional.of(new LogNameLock(file, channel, Optional.empty()));
        } finally {
            if (!isOurs) {
                channel.close();
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

    /** Whether the file that has the name is open here: its last owner may have removed that one before it was locked. */
    private static boolean hasName(Path file) throws IOException {
        try (DirectoryStream<Path> descriptors = Files.newDirectoryStream(Descriptors.ALL)) {
            FileStatus named = FileStatus.of(file, LinkOption.NOFOLLOW_LINKS);
            for (Path descriptor : descriptors) {
                if (Files.exists(descriptor) && FileStatus.of(descriptor).isSameFile(named)) {
                    return true;
                }
            }
            return false;
        } catch (NoSuchFileException removed) {
            return false;
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
