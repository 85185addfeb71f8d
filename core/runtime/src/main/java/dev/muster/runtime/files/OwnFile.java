package dev.muster.runtime.files;

import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * Opens files that this launcher writes, in directories where others may have put something of theirs under the name. What counts
 * is what was opened: it is looked at by its descriptor, whatever has the name by then.
 */
public final class OwnFile {

    private static final FileAttribute<?> MODE =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-r-----"));

    /** To open a FIFO only for writing would wait for a reader. */
    private static final Set<OpenOption> WITHOUT_WAITING =
            Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);

    private static final int MOST_TRIES = 10;

    private OwnFile() {}

    /**
     * Opens a file for writing, or makes it with mode 0640, less the umask.
     *
     * @param options the others
     * @throws IOException it cannot be written, or it is a link, no regular file, has another name, too, or belongs to others; the
     *     reason of a {@link FileSystemException} is for users
     */
    public static FileChannel openOrMake(Path file, StandardOpenOption... options) throws IOException {
        Set<OpenOption> open = new HashSet<>(List.of(options));
        open.add(StandardOpenOption.WRITE);
        Set<OpenOption> make = new HashSet<>(open);
        make.addAll(List.of(StandardOpenOption.CREATE_NEW, LinkOption.NOFOLLOW_LINKS));
        for (int tries = 0; tries < MOST_TRIES; tries++) {
            try {
                return FileChannel.open(file, make, MODE);
            } catch (FileAlreadyExistsException exists) {
                Optional<FileChannel> opened = openThere(file, open);
                if (opened.isPresent()) {
                    return opened.get();
                }
            }
        }
        throw new FileSystemException(file.toString(), null, "somebody exchanges it all the time");
    }

    /**
     * The content of a file, if it is ours.
     *
     * @param longest in bytes
     * @throws IOException it cannot be read, is longer, or somebody else's
     */
    static byte[] read(Path file, int longest) throws IOException {
        try (FileChannel opened = openThere(file, Set.of(StandardOpenOption.READ))
                        .orElseThrow(() -> new NoSuchFileException(file.toString()));
                InputStream content = Channels.newInputStream(opened)) {
            byte[] bytes = content.readNBytes(longest + 1);
            if (bytes.length > longest) {
                throw refusal(file, "it is too long");
            }
            return bytes;
        }
    }

    /** Empty: it is gone, or another one has its name by now. */
    private static Optional<FileChannel> openThere(Path file, Set<OpenOption> options) throws IOException {
        try {
            Facts named = Facts.of(file, LinkOption.NOFOLLOW_LINKS);
            requireOurs(named, file);
            try (FileChannel first = FileChannel.open(file, WITHOUT_WAITING)) {
                Optional<Path> descriptor =
                        first.isOpen() ? Descriptors.find(open -> Facts.of(open).isSameFile(named)) : Optional.empty();
                if (descriptor.isEmpty()) {
                    return Optional.empty();
                }
                requireOurs(Facts.of(descriptor.get()), file);
                return Optional.of(FileChannel.open(descriptor.get(), options));
            }
        } catch (NoSuchFileException gone) {
            return Optional.empty();
        }
    }

    private static void requireOurs(Facts facts, Path file) throws IOException {
        if (facts.isLink()) {
            throw refusal(file, "it is a symbolic link");
        }
        if (!facts.isFile()) {
            throw refusal(file, "it is no regular file");
        }
        if (facts.links() > 1) {
            throw refusal(file, "it has " + facts.links() + " hard links");
        }
        if (!Trust.isTrusted(facts.uid()) && !isOfFilesMadeBeside(file, facts.uid())) {
            throw refusal(
                    file,
                    "it belongs to uid " + facts.uid() + " (mode " + facts.permissions()
                            + "), which is neither root nor you (uid " + Trust.ownUid() + ")");
        }
    }

    private static boolean isOfFilesMadeBeside(Path file, int uid) {
        Path directory = file.toAbsolutePath().getParent();
        return directory != null && CreatedOwner.in(directory).equals(OptionalInt.of(uid));
    }

    private static FileSystemException refusal(Path file, String reason) {
        return new FileSystemException(file.toString(), null, reason);
    }
}
