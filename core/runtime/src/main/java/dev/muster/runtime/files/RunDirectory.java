package dev.muster.runtime.files;

import dev.muster.runtime.errors.MusterException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The private temporary directory of one run. It comes to be when it is first asked for, and is removed with its content. */
public final class RunDirectory implements AutoCloseable {

    /** Places for temporary files. Containers with a read-only root file system still have shared memory. */
    public static final List<String> TEMPORARY = List.of("/tmp", "/dev/shm");

    static final String PREFIX = "muster-";

    private static final Pattern MENTION = Pattern.compile("/" + PREFIX + "[0-9a-z]{6,13}/");

    private final RunPlaces places;
    private boolean isClosedToOthers;
    private Optional<Path> volume = Optional.empty();
    private @Nullable Path path;
    private OptionalLong owner = OptionalLong.empty();
    private Optional<FileChannel> lock = Optional.empty();

    private RunDirectory(RunPlaces places) {
        this.places = places;
    }

    /** Whether a text, such as a command line, has the path of something in such a directory. */
    public static boolean isMentionedIn(String text) {
        return MENTION.matcher(text).find();
    }

    /**
     * Nothing is made yet.
     *
     * @param environment {@code XDG_RUNTIME_DIR} is tried first, then {@code TMPDIR}; where it must be closed to others also
     *     {@code HOME}
     * @param others places that are tried last, in this order
     */
    public static RunDirectory of(Map<String, String> environment, List<String> others) {
        return new RunDirectory(RunPlaces.of(environment, others));
    }

    /**
     * From now on only places will do where others can exchange nothing, best those where no directory above can be written by
     * others. To be called first, if at all.
     */
    public synchronized void requireClosed() {
        isClosedToOthers = true;
    }

    /**
     * Whose it is. To be called first, if at all.
     *
     * @param pid of the process that is there for as long as the launcher is
     */
    public synchronized void belongsTo(long pid) {
        owner = OptionalLong.of(pid);
    }

    /** Where it is, if it was made. */
    public synchronized Optional<Path> madePath() {
        return Optional.ofNullable(path);
    }

    /** The volume of this container that it was made in, where that is open to whoever else is in the container. */
    public synchronized Optional<Path> openVolume() {
        return volume;
    }

    /**
     * The directory, with mode 0700.
     *
     * @throws MusterException when no place for temporary files can be written
     */
    public synchronized Path path() {
        if (path == null) {
            RunPlaces.Made made = places.make(isClosedToOthers);
            path = made.path();
            volume = made.openVolume();
            if (owner.isPresent()) {
                lock = DirectoryOwner.write(made.path(), owner.getAsLong());
            }
        }
        return path;
    }

    static List<Path> directoriesIn(Path parent) {
        List<Path> found = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(parent, RunDirectory::hasOurName)) {
            for (Path entry : entries) {
                if (ClosedPlace.isOwnDirectory(entry)) {
                    found.add(entry);
                }
            }
        } catch (IOException | DirectoryIteratorException unreadable) {
            // Then there is nothing to be seen.
        }
        return found;
    }

    private static boolean hasOurName(Path entry) {
        return String.valueOf(entry.getFileName()).startsWith(PREFIX);
    }

    /** Removes what is in the directory, but for these files and what tells others whose it is, and what else belongs to it. */
    public synchronized void emptyBut(Set<String> names) {
        if (path != null) {
            Elsewhere.remove(path, all -> true);
            Directories.empty(path, name -> names.contains(name) || DirectoryOwner.isOfOwner(name));
        }
    }

    /** Removes the directory, if it was made, and what else belongs to it. What cannot be removed stays. */
    @Override
    public synchronized void close() {
        if (path == null) {
            return;
        }
        Elsewhere.remove(path, all -> true);
        Directories.remove(path);
        path = null;
        lock.ifPresent(RunDirectory::unlock);
    }

    private static void unlock(FileChannel file) {
        try {
            file.close();
        } catch (IOException gone) {
            // It was never written.
        }
    }
}
