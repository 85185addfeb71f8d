package dev.muster.runtime.files;

import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/** Opens files that the launcher writes. Others may have put a file or link of the same name there. */
public final class SafeFile {

    private SafeFile() {}

    /**
     * Opens a file for writing, or makes it with mode 0640, less the umask.
     *
     * @param options the other options
     * @throws IOException the file is not writable, a link, not a regular file, belongs to others, or has several hard links; the reason
     *     of a {@link FileSystemException} is for users
     */
    public static FileChannel openOrMake(Path file, StandardOpenOption... options) throws IOException {
        Set<OpenOption> all = new HashSet<>(List.of(options));
        all.addAll(List.of(StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS));
        if (Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
            // Check first: the open of a FIFO would block.
            requireOurs(file);
        } else {
            all.add(StandardOpenOption.CREATE);
        }
        FileChannel opened = FileChannel.open(file, all, Modes.FILE);
        try {
            requireOurs(file);
            return opened;
        } catch (IOException exchanged) {
            opened.close();
            throw exchanged;
        }
    }

    /**
     * The content of a file that belongs to this user or root.
     *
     * @param longest in bytes
     * @throws IOException the file cannot be read, is longer, or belongs to others
     */
    static byte[] read(Path file, int longest) throws IOException {
        requireOurs(file);
        try (InputStream content = Files.newInputStream(file, LinkOption.NOFOLLOW_LINKS)) {
            byte[] bytes = content.readNBytes(longest + 1);
            if (bytes.length > longest) {
                throw refusal(file, "it is too long");
            }
            return bytes;
        }
    }

    private static void requireOurs(Path file) throws IOException {
        FileStatus status = FileStatus.of(file, LinkOption.NOFOLLOW_LINKS);
        if (status.isLink()) {
            throw refusal(file, "it is a symbolic link");
        }
        if (!status.isFile()) {
            throw refusal(file, "it is no regular file");
        }
        if (status.links() > 1) {
            throw refusal(file, "it has " + status.links() + " hard links");
        }
        if (!Trust.isTrusted(status.uid()) && !isOfFilesMadeBeside(file, status.uid())) {
            throw refusal(
                    file,
                    "it belongs to uid " + status.uid() + " (mode " + status.permissions()
                            + "), which is neither root nor you (uid " + Trust.ownUid() + ")");
        }
    }

    private static boolean isOfFilesMadeBeside(Path file, int uid) {
        Path directory = file.toAbsolutePath().getParent();
        return directory != null && ownerOfNew(directory).equals(OptionalInt.of(uid));
    }

    /**
     * The owner of files that this process makes in a directory. A file server may give all files to one user. A temporary file tells;
     * empty if none can be made.
     */
    static OptionalInt ownerOfNew(Path directory) {
        try {
            Path file = Files.createFile(directory.resolve(TemporaryNames.temporary()), Modes.FILE);
            try {
                return OptionalInt.of(
                        FileStatus.of(file, LinkOption.NOFOLLOW_LINKS).uid());
            } finally {
                Files.deleteIfExists(file);
            }
        } catch (IOException cannotBeMade) {
            return OptionalInt.empty();
        }
    }

    private static FileSystemException refusal(Path file, String reason) {
        return new FileSystemException(file.toString(), null, reason);
    }

    /** The identity of a file, whatever its name; empty: no such file. */
    public static Optional<Object> identity(Path file) {
        try {
            return Optional.ofNullable(
                    Files.readAttributes(file, BasicFileAttributes.class).fileKey());
        } catch (IOException notThere) {
            return Optional.empty();
        }
    }
}
