package dev.muster.runtime.files;

import dev.muster.runtime.errors.MusterException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The private temporary directory of one run. It is made at its first use, and removed with its content. */
public final class RunDirectory implements AutoCloseable {

    /** Places for temporary files. Containers with a read-only root file system still have shared memory. */
    public static final List<String> TEMPORARY = List.of("/tmp", "/dev/shm");

    static final String PREFIX = "muster-";

    private static final Pattern MENTION = Pattern.compile("/" + PREFIX + "[0-9a-z]{6,13}/");

    private final RunDirectoryPlaces places;
    private boolean isClosedToOthers;
    private @Nullable Path path;
    private Optional<DirectoryLock> lock = Optional.empty();

    private RunDirectory(RunDirectoryPlaces places) {
        this.places = places;
    }

    /** Whether a text, such as a command line, has a path in such a directory. */
    public static boolean isMentionedIn(String text) {
        return MENTION.matcher(text).find();
    }

    /**
     * Makes nothing yet.
     *
     * @param environment {@code XDG_RUNTIME_DIR} is tried first, then {@code TMPDIR}; for a closed directory also {@code HOME}
     * @param others places that are tried last, in this order
     */
    public static RunDirectory of(Map<String, String> environment, List<String> others) {
        return new RunDirectory(RunDirectoryPlaces.of(environment, others));
    }

    /**
     * From now on only places count where other users cannot replace files. Places without a parent directory that others can write to
     * are best. Call it before {@link #path}.
     */
    public synchronized void requireTrusted() {
        isClosedToOthers = true;
    }

    /** The directory, if it was made. */
    public synchronized Optional<Path> madePath() {
        return Optional.ofNullable(path);
    }

    /** A directory above it that other users in this container can write to: a volume. It is trusted nevertheless. */
    public synchronized Optional<Path> sharedVolume() {
        try {
            return path == null
                    ? Optional.empty()
                    : Trust.ofKey(path).warnings().stream()
                            .map(Trust.Flaw::path)
                            .findFirst();
        } catch (IOException gone) {
            return Optional.empty();
        }
    }

    /**
     * The directory, with mode 0700.
     *
     * @throws MusterException no place for temporary files is writable
     */
    public synchronized Path path() {
        if (path == null) {
            path = isClosedToOthers ? places.makeTrusted() : places.make();
            try {
                lock = Optional.of(DirectoryLock.take(path));
            } catch (IOException noLocks) {
                // If this launcher is killed, nobody removes the directory.
            }
        }
        return path;
    }

    /** Removes the directory, if it was made, and the run's files elsewhere. What cannot be removed stays. */
    @Override
    public synchronized void close() {
        if (path != null) {
            new ExternalResources(path).remove(all -> true);
            Directories.remove(path);
            path = null;
            lock.ifPresent(DirectoryLock::close);
        }
    }
}
