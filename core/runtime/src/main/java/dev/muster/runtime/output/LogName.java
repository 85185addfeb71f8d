package dev.muster.runtime.output;

import dev.muster.runtime.files.Descriptors;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The name of a log file that is open. Others can give it another one while it is written, or take it away. */
final class LogName {

    /** What a file is called that was removed on NFS while somebody has it open. */
    private static final String REMOVED_ON_NFS = ".nfs";

    /** A thousand logs that are written all the time take ten thousand looks a second. */
    private static final long PAUSE = Duration.ofMillis(100).toNanos();

    private @Nullable Object identity;
    private Path path;
    private long lookAt;

    /** What became of it since the last look. */
    enum Fate {
        KEPT,
        RENAMED,
        /** It has no name any more; nobody knows how many of the bytes since the last look it got before. */
        DELETED
    }

    /** @param path of a file that is open now */
    LogName(Path path) {
        this.path = path;
        identity = identity(path, LinkOption.NOFOLLOW_LINKS).orElse(null);
        lookAt = System.nanoTime() + PAUSE;
    }

    /** The newest name that it is known to have had. */
    Path path() {
        return path;
    }

    boolean isDue() {
        return System.nanoTime() - lookAt >= 0;
    }

    /** Looks whether it has its name. */
    Fate look() {
        lookAt = System.nanoTime() + PAUSE;
        Optional<Object> there = identity(path, LinkOption.NOFOLLOW_LINKS);
        if (identity == null || there.equals(Optional.of(identity))) {
            return Fate.KEPT;
        }
        Optional<Object> wanted = Optional.of(identity);
        Optional<Path> open =
                Descriptors.find(descriptor -> identity(descriptor).equals(wanted));
        if (open.isEmpty()) {
            // A file system that numbers its files anew now and then, as those that mount object stores.
            identity = there.orElse(identity);
            return Fate.KEPT;
        }
        try {
            return fate(open.get());
        } catch (IOException cannotTell) {
            return Fate.KEPT;
        }
    }

    /** What tells a file from all others, whatever its name. */
    private static Optional<Object> identity(Path file, LinkOption... options) {
        try {
            return Optional.ofNullable(Files.readAttributes(file, BasicFileAttributes.class, options)
                    .fileKey());
        } catch (IOException notThere) {
            return Optional.empty();
        }
    }

    private Fate fate(Path open) throws IOException {
        Path name = Files.readSymbolicLink(open);
        boolean isDeleted = Integer.valueOf(0).equals(Files.getAttribute(open, "unix:nlink"));
        if (isDeleted || String.valueOf(name.getFileName()).startsWith(REMOVED_ON_NFS)) {
            return Fate.DELETED;
        }
        if (identity(name, LinkOption.NOFOLLOW_LINKS).equals(Optional.ofNullable(identity))) {
            path = name;
        }
        return Fate.RENAMED;
    }
}
