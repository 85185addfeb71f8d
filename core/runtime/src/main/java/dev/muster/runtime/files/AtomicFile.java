package dev.muster.runtime.files;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;

import dev.muster.runtime.text.Printable;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.util.Set;

/**
 * Writes a file so that readers see the old content or the new, never a part. It writes a temporary file beside the target, then renames
 * it. Several nodes may write the same file on a shared file system at once; one of them wins.
 */
public final class AtomicFile {

    private static final Set<StandardOpenOption> CREATE_NEW =
            Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);

    private AtomicFile() {}

    /**
     * Writes the file in UTF-8 with mode 0640, less the umask. It replaces a file or symbolic link of this name. It does not replace a
     * device, a pipe or a socket: as root it could replace {@code /dev/null}.
     *
     * @param directory exists
     * @return the file's path
     * @throws FileException the file was not written, and nothing is left behind
     */
    public static Path write(Path directory, String name, String content) throws FileException {
        return write(directory, name, content, Modes.FILE);
    }

    /** The same with mode 0644, less the umask, so that all users of the machine can read it. */
    public static Path writeForAll(Path directory, String name, String content) throws FileException {
        return write(directory, name, content, Modes.FILE_FOR_ALL);
    }

    private static Path write(Path directory, String name, String content, FileAttribute<?> mode) throws FileException {
        Path target = directory.resolve(name);
        try {
            if (Files.exists(target, NOFOLLOW_LINKS)
                    && Files.readAttributes(target, BasicFileAttributes.class, NOFOLLOW_LINKS)
                            .isOther()) {
                throw new IOException("it is a device, a pipe or a socket");
            }
            Path temporary = writeBeside(directory, content, mode);
            try {
                return Files.move(temporary, target, StandardCopyOption.ATOMIC_MOVE);
            } finally {
                Files.deleteIfExists(temporary);
            }
        } catch (IOException e) {
            throw new FileException("cannot write " + Printable.escape(target.toString()) + ": " + IoReasons.of(e), e);
        }
    }

    /** Writes a new file under a temporary name. The caller renames it. */
    static Path writeBeside(Path directory, String content, FileAttribute<?> mode) throws IOException {
        Path temporary = directory.resolve(TemporaryNames.temporary());
        try (FileChannel file = FileChannel.open(temporary, CREATE_NEW, mode);
                Writer writer = new BufferedWriter(
                        new OutputStreamWriter(Channels.newOutputStream(file), StandardCharsets.UTF_8))) {
            writer.write(content);
        } catch (IOException e) {
            Files.deleteIfExists(temporary);
            throw e;
        }
        return temporary;
    }
}
