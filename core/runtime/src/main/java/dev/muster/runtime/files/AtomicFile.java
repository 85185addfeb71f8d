package dev.muster.runtime.files;

import dev.muster.runtime.text.Printable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
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

    private AtomicFile() {}

    /**
     * Writes the file with mode 0640, less the umask. What had the name before is replaced, a symbolic link too.
     *
     * @param directory exists
     * @return the file's path
     * @throws FileException the file was not written; there is no trace of the attempt
     */
    public static Path write(Path directory, String name, byte[] content) throws FileException {
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
        while (true) {
            Path temporary = directory.resolve(Names.unused(".muster-", ".tmp"));
            try (FileChannel file = FileChannel.open(temporary, CREATE_NEW, MODE)) {
                writeOrRemove(file, temporary, content);
                return temporary;
            } catch (FileAlreadyExistsException e) {
                // Another node drew the same name at the same moment; the next draw is a different one.
            }
        }
    }

    private static void writeOrRemove(FileChannel file, Path temporary, byte[] content) throws IOException {
        try {
            ByteBuffer rest = ByteBuffer.wrap(content);
            while (rest.hasRemaining()) {
                file.write(rest);
            }
        } catch (IOException e) {
            Files.deleteIfExists(temporary);
            throw e;
        }
    }
}
