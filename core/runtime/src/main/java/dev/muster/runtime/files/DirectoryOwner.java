package dev.muster.runtime.files;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Whose a private directory is: written down in it, so that a later launcher removes what a killed one has left. A process is known by its
 * number, its start, and the machine and container in which numbers mean anything. Where the container is another one, a lock tells: the
 * kernel lets go of it when the launcher's JVM is dead.
 */
final class DirectoryOwner {

    static final String FILE = ".owner";

    /** It is locked, and never read: whoever closed it in this process would let go of the lock. */
    private static final String LOCK = ".alive";

    private static final Path BOOT = Path.of("/proc/sys/kernel/random/boot_id");
    private static final Path NAMESPACE = Path.of("/proc/self/ns/pid");
    private static final int LONGEST = 1024;
    /** Of the fields in {@code /proc/PID/stat} behind the name. */
    private static final int START = 19;

    private DirectoryOwner() {}

    /**
     * Writes down in a new directory whose it is, and removes those beside it whose launchers are dead.
     *
     * @return what says that this launcher lives, as long as it is open
     */
    static Optional<FileChannel> write(Path directory, long pid) {
        Optional<FileChannel> lock = Optional.empty();
        try {
            Optional<String> start = start(pid);
            if (start.isPresent()) {
                lock = lock(directory.resolve(LOCK));
                Files.writeString(
                        directory.resolve(FILE), boot() + " " + container() + " " + pid + " " + start.get() + "\n");
                RunDirectory.directoriesIn(Objects.requireNonNull(directory.getParent())).stream()
                        .filter(DirectoryOwner::isLeft)
                        .forEach(DirectoryOwner::removeLeft);
            }
        } catch (IOException unknown) {
            // Without /proc nobody can tell later whose it was, and nobody removes it.
        }
        return lock;
    }

    private static Optional<FileChannel> lock(Path file) throws IOException {
        FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        try {
            channel.lock();
            return Optional.of(channel);
        } catch (IOException noLocks) {
            // Nobody must take the launcher for dead.
            channel.close();
            Files.delete(file);
            return Optional.empty();
        }
    }

    private static boolean isUnlocked(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS)) {
            return channel.tryLock() != null;
        } catch (OverlappingFileLockException ours) {
            return false;
        }
    }

    private static String boot() throws IOException {
        return Files.readString(BOOT, StandardCharsets.US_ASCII).strip();
    }

    private static String container() throws IOException {
        return Files.readSymbolicLink(NAMESPACE).toString();
    }

    private static Optional<String> start(long pid) {
        try {
            String stat = Files.readString(Path.of("/proc", Long.toString(pid), "stat"), StandardCharsets.ISO_8859_1);
            return Optional.of(List.of(stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1))
                    .get(START));
        } catch (IOException | IndexOutOfBoundsException gone) {
            return Optional.empty();
        }
    }

    /** Whether a file in such a directory tells whose it is. */
    static boolean isOfOwner(String name) {
        return name.equals(FILE) || name.equals(LOCK);
    }

    private static boolean isLeft(Path directory) {
        Path file = directory.resolve(FILE);
        try {
            if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS) || Files.size(file) > LONGEST) {
                return false;
            }
            List<String> words = List.of(
                    Files.readString(file, StandardCharsets.US_ASCII).strip().split(" ", -1));
            if (words.size() != 4 || !boot().equals(words.get(0))) {
                return false;
            }
            return container().equals(words.get(1))
                    ? !start(Long.parseLong(words.get(2))).equals(Optional.of(words.get(3)))
                    : isUnlocked(directory.resolve(LOCK));
        } catch (IOException | NumberFormatException notOurs) {
            return false;
        }
    }

    private static void removeLeft(Path directory) {
        String name = String.valueOf(directory.getFileName());
        // What has other names may be somebody else's by now, unless a file in it says whose it is.
        Elsewhere.remove(
                directory,
                path -> path.endsWith(name) || Files.isRegularFile(path.resolve(name), LinkOption.NOFOLLOW_LINKS));
        Directories.remove(directory);
    }
}
