package dev.muster.runtime.files;

import dev.muster.runtime.text.Printable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/**
 * Writes a file so that readers see the old content or the new, never a part: a temporary file beside it, then a rename.
 * Several nodes may write the same file on a shared file system at once; one of them wins.
 */
public final class AtomicFile {

    private static final Set<StandardOpenOption> CREATE_NEW =
            Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    private static final FileAttribute<Set<PosixFilePermission>> MODE =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-r-----"));

    /** So much is written at once: the JDK copies it before, into memory of its own. */
    private static final int PIECE = 64 * 1024;

    /** So much of a text becomes bytes at once: more than what the collector of garbage moves around, see {@code bin/muster}. */
    private static final int TEXT_PIECE = 256 * 1024;

    private AtomicFile() {}

    /**
     * Writes the file with mode 0640, less the umask. What had the name before is replaced, a symbolic link too.
     *
     * @param directory exists
     * @return the file's path
     * @throws FileException the file was not written; there is no trace of the attempt
     */
    public static Path write(Path directory, String name, byte[] content) throws FileException {
        return write(directory, name, ByteBuffer.wrap(content));
    }

    /** As {@link #write(Path, String, byte[])}, of what remains in the buffer, which stays as it is. */
    public static Path write(Path directory, String name, ByteBuffer content) throws FileException {
        return write(directory, name, file -> writeBytes(file, content.duplicate()));
    }

    /**
     * As {@link #write(Path, String, byte[])}, in UTF-8. A rank table may be as long as a tenth of the heap: there are never all of
     * its bytes.
     */
    public static Path write(Path directory, String name, String content) throws FileException {
        return write(directory, name, file -> writeText(file, content));
    }

    private static Path write(Path directory, String name, Content content) throws FileException {
        Path target = directory.resolve(name);
        try {
            Path temporary = writeBeside(directory, content);
            try {
                Files.move(temporary, target, StandardCopyOption.ATOMIC_MOVE);
            } catch (IOException e) {
                Files.deleteIfExists(temporary);
                throw e;
            }
            return target;
        } catch (IOException e) {
            throw new FileException("cannot write " + Printable.escape(target.toString()) + ": " + Reasons.of(e), e);
        }
    }

    /** Writes a new file with a name of its own, which is to get another one. */
    static Path writeBeside(Path directory, byte[] content) throws IOException {
        return writeBeside(directory, file -> writeBytes(file, ByteBuffer.wrap(content)));
    }

    private static Path writeBeside(Path directory, Content content) throws IOException {
        while (true) {
            Path temporary = directory.resolve(Names.temporary());
            try (FileChannel file = FileChannel.open(temporary, CREATE_NEW, MODE)) {
                writeOrRemove(file, temporary, content);
                return temporary;
            } catch (FileAlreadyExistsException e) {
                // Another node drew the same name at the same moment; the next draw is a different one.
            }
        }
    }

    private static void writeOrRemove(FileChannel file, Path temporary, Content content) throws IOException {
        try {
            content.writeTo(file);
        } catch (IOException e) {
            Files.deleteIfExists(temporary);
            throw e;
        }
    }

    private static void writeText(FileChannel file, String text) throws IOException {
        int end;
        for (int start = 0; start < text.length(); start = end) {
            end = Math.min(start + TEXT_PIECE, text.length());
            // Both halves of a character stay together.
            end -= end < text.length() && Character.isHighSurrogate(text.charAt(end - 1)) ? 1 : 0;
            writeBytes(file, ByteBuffer.wrap(text.substring(start, end).getBytes(StandardCharsets.UTF_8)));
        }
    }

    private static void writeBytes(FileChannel file, ByteBuffer bytes) throws IOException {
        int end = bytes.limit();
        while (bytes.position() < end) {
            bytes.limit(Math.min(bytes.position() + PIECE, end));
            file.write(bytes);
        }
    }

    private interface Content {
        void writeTo(FileChannel file) throws IOException;
    }
}
