package dev.muster.runtime.files;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The private directory of a run whose launcher is dead. */
public final class LeftRun {

    /** A launcher writes down whose its directory is as soon as it has made it. */
    private static final Duration LONG_AGO = Duration.ofMinutes(1);

    /** File systems that no two machines share. */
    private static final Set<String> LOCAL =
            Set.of("tmpfs", "ramfs", "overlay", "aufs", "ext2", "ext3", "ext4", "xfs", "btrfs", "f2fs", "zfs");

    private LeftRun() {}

    /**
     * Removes the directories of launchers that were killed between these two.
     *
     * @param own directory, made a moment ago, beside which they are
     */
    public static void removeUnused(Path own) {
        try {
            Instant before = Files.getLastModifiedTime(own).toInstant().minus(LONG_AGO);
            @Nullable Path parent = own.getParent();
            for (Path other : parent == null ? List.<Path>of() : RunDirectory.directoriesIn(parent)) {
                if (Files.getLastModifiedTime(other).toInstant().isBefore(before) && isUnused(other)) {
                    // It goes only when nobody has put anything into it by now.
                    Files.deleteIfExists(other.resolve(RunLock.UNFINISHED));
                    Files.deleteIfExists(other);
                }
            }
        } catch (IOException inUse) {
            // Somebody has written something there, or has removed it.
        }
    }

    private static boolean isUnused(Path directory) {
        List<String> names =
                List.of(Objects.requireNonNullElse(directory.toFile().list(), new String[] {"?"}));
        return names.isEmpty()
                || (names.equals(List.of(RunLock.UNFINISHED)) && RunLock.isFree(directory.resolve(RunLock.UNFINISHED)));
    }

    /**
     * Takes the place of the run's warden, unless somebody else is doing so or has done so.
     *
     * @param directory of a run whose launcher and warden are dead
     * @param hasWarden whether a record names a warden that lives
     * @param start starts one, from a record that has all that the run has started; empty when it cannot
     */
    public static void takeOver(
            Path directory, Predicate<RunRecord> hasWarden, Function<RunRecord, Optional<RunRecord.Owner>> start) {
        try (@Nullable RunLock lock = RunLock.takeOver(directory).orElse(null)) {
            Optional<RunRecord> record = lock == null ? Optional.empty() : lock.content();
            Optional<RunRecord.Owner> warden =
                    record.filter(Predicate.not(hasWarden)).flatMap(start);
            if (lock != null && warden.isPresent()) {
                lock.add(RunRecord.wardenLine(warden.get()));
            }
        } catch (IOException gone) {
            // Somebody has put it away.
        }
    }

    /** Whether no other machine can have the directory. */
    public static boolean isOnThisMachine(Path other) {
        try {
            return LOCAL.contains(Files.getFileStore(other).type());
        } catch (IOException unknown) {
            return false;
        }
    }

    /** Removes the directory of a run that is over, which its launcher could not do. */
    public static void removeLeft(Path other) {
        String run = String.valueOf(other.getFileName());
        // What has other names may be somebody else's by now, unless a file in it says whose it is.
        Elsewhere.remove(
                other, path -> path.endsWith(run) || Files.isRegularFile(path.resolve(run), LinkOption.NOFOLLOW_LINKS));
        Directories.remove(other);
    }
}
