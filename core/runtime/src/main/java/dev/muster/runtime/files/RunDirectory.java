package dev.muster.runtime.files;

import dev.muster.runtime.errors.MusterException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The private temporary directory of one run. It comes to be when it is first asked for, and is removed with its content. */
public final class RunDirectory implements AutoCloseable {

    /** Places for temporary files. Containers with a read-only root file system still have shared memory. */
    public static final List<String> TEMPORARY = List.of("/tmp", "/dev/shm");

    /** The warden knows such directories by it, too. */
    static final String PREFIX = "muster-";

    private static final String WARDEN_LOCK = ".warden";
    private static final Set<String> ACCOUNTS = Set.of(RunLock.NAME, RunLock.UNFINISHED, WARDEN_LOCK);

    private static final Pattern MENTION = Pattern.compile("/" + PREFIX + "[0-9a-z]{6,13}/");

    private final RunPlaces places;
    private boolean isClosedToOthers;
    private Optional<Path> volume = Optional.empty();
    private @Nullable Path path;
    private @Nullable RunLock lock;
    private @Nullable FileChannel held;
    private boolean hasWarden;
    private final JobKeys jobKeys = new JobKeys();

    private RunDirectory(RunPlaces places) {
        this.places = places;
    }

    /** Whether a text, such as a command line, has the path of something in such a directory. */
    public static boolean isMentionedIn(String text) {
        return MENTION.matcher(text).find();
    }

    /** One of which nobody is told. */
    public static RunDirectory of(Map<String, String> environment, List<String> others) {
        return of(environment, others, path -> {});
    }

    /**
     * Nothing is made yet.
     *
     * @param environment {@code XDG_RUNTIME_DIR} is tried first, then {@code TMPDIR}; where it must be closed to others also
     *     {@code HOME}
     * @param others places that are tried last, in this order
     * @param before told of each path before there is anything: a place may be slow, and whoever is killed meanwhile leaves it
     */
    public static RunDirectory of(Map<String, String> environment, List<String> others, Consumer<Path> before) {
        return new RunDirectory(RunPlaces.of(environment, others, before));
    }

    /**
     * From now on only places will do where others can exchange nothing, best those where no directory above can be written by
     * others. To be called first, if at all.
     */
    public synchronized void requireClosed() {
        isClosedToOthers = true;
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
        }
        return path;
    }

    /** The directory, if it can be made: for what is a help only. */
    public synchronized Optional<Path> pathIfPossible() {
        try {
            return Optional.of(path());
        } catch (MusterException nowhere) {
            return Optional.empty();
        }
    }

    /** Writes down in the directory, which is there, whose it is. */
    public synchronized void record(RunRecord record) {
        try {
            if (path != null && lock == null) {
                lock = RunLock.of(path, record);
            }
        } catch (IOException refused) {
            // A full disk: nobody can tell later whose it was, and nobody removes it.
        }
    }

    /** Where a warden has its lock; the file is empty, or missing, where it cannot take one. */
    public static Path wardenLock(Path directory) {
        return directory.resolve(WARDEN_LOCK);
    }

    /** The first warden will take its lock: until then, and when it has died, the file is there and not locked. */
    public synchronized void expectWardenLock() {
        try {
            if (path != null) {
                Files.writeString(wardenLock(path), "flock\n");
            }
        } catch (IOException refused) {
            // Then nobody in another container can tell whether it lives.
        }
    }

    /** Writes down that there is a new warden. Only the first one has a lock. */
    public synchronized void recordWarden(RunRecord.Owner warden) {
        try {
            if (path != null && hasWarden) {
                Files.deleteIfExists(wardenLock(path));
            }
            hasWarden = true;
            if (lock != null) {
                lock.add(RunRecord.wardenLine(warden));
            }
        } catch (IOException refused) {
            // Then later launchers look for the run's processes.
        }
    }

    /** Writes down that processes have another time to end from now on. */
    public synchronized void recordGrace(Duration grace) {
        try {
            if (lock != null) {
                lock.add(RunRecord.graceLine(grace));
            }
        } catch (IOException refused) {
            // Then later launchers wait for as long as the launcher's own grace.
        }
    }

    /** Leaves an empty file in the directory, if that was made, for whoever looks whether it is there. */
    public synchronized void note(String name) {
        try {
            if (path != null) {
                Files.write(path.resolve(name), new byte[0]);
            }
        } catch (IOException refused) {
            // A full disk: nobody learns of it by this note.
        }
    }

    /**
     * Holds a pipe in the directory open, if there is one: whoever reads it waits until it is {@linkplain #release released}, or this
     * process is gone.
     */
    public synchronized void hold(String pipe) {
        release();
        try {
            if (path != null) {
                // Opened for reading alone, it would wait for somebody who writes.
                held = FileChannel.open(path.resolve(pipe), StandardOpenOption.READ, StandardOpenOption.WRITE);
            }
        } catch (IOException refused) {
            // Nobody has made it, or there can be no file more: then nobody waits.
        }
    }

    /** Holds no pipe any more. */
    public synchronized void release() {
        try {
            if (held != null) {
                held.close();
            }
        } catch (IOException closed) {
            // It is closed all the same.
        }
        held = null;
    }

    /** What the launcher of a directory has written down. Whose directory that is nobody has looked at. */
    public static Optional<RunRecord> recordIn(Path directory) {
        return RunRecord.read(directory.resolve(RunLock.NAME));
    }

    /** Writes down that the launcher has started a process, so that it is known to those who come after both launcher and warden. */
    public synchronized void recordLeader(RunRecord.Owner leader) {
        try {
            if (lock != null) {
                lock.add(RunRecord.leaderLine(leader));
            }
        } catch (IOException refused) {
            // Then it is known by what it carries.
        }
    }

    /** What the launchers of other runs of this user's have written down, in directories beside this one. */
    public synchronized Map<Path, RunRecord> others() {
        Map<Path, RunRecord> others = new TreeMap<>();
        @Nullable Path parent = path == null ? null : path.getParent();
        if (parent != null) {
            for (Path other : directoriesIn(parent)) {
                // The own file, once read and closed, would be locked no more: the kernel knows processes, not
                // channels.
                if (!other.equals(path)) {
                    RunRecord.read(other.resolve(RunLock.NAME)).ifPresent(record -> others.put(other, record));
                }
            }
        }
        return others;
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

    /** Whether the launcher of another directory certainly holds no lock on it any more, wherever it ran. */
    public static boolean isGivenUp(Path other) {
        return RunLock.isGivenUp(other);
    }

    /** Removes what is in the directory, but for these files and what tells others whose it is, and what else belongs to it. */
    public synchronized void emptyBut(Set<String> names) {
        if (path != null) {
            jobKeys.collect(path);
            Elsewhere.remove(path, all -> true);
            Directories.empty(path, name -> names.contains(name) || ACCOUNTS.contains(name));
        }
    }

    /** Removes the directory, if it was made, and what else belongs to it. What cannot be removed stays. */
    @Override
    public synchronized void close() {
        release();
        if (path == null) {
            return;
        }
        jobKeys.collect(path);
        Elsewhere.remove(path, all -> true);
        Directories.remove(path);
        if (lock != null) {
            try {
                lock.close();
            } catch (IOException e) {
                // The file is gone, and the lock with this process.
            }
            lock = null;
        }
        hasWarden = false;
        path = null;
    }

    /** Removes the keys that its runs have shared with other nodes, once the directory is closed: the job is over. */
    public synchronized void removeJobKeys() {
        jobKeys.remove();
    }
}
