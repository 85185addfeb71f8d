package dev.muster.runtime.logs;

import dev.muster.runtime.files.SafeFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads the lines of a file that others write to. They may also empty it, or rename it and make a new one. */
final class GrowingFile {

    private static final int PIECE = 8 * 1024;

    /** A longer line comes in pieces. */
    private static final int LONGEST = 1024 * 1024;

    private final Path path;
    private @Nullable FileChannel channel;
    private Optional<Object> identity = Optional.empty();
    /** Where the next read begins. */
    private long position;

    private byte[] bytes = {};
    private int from;
    private int to;
    /** Where the last returned line began. */
    private long start;
    /** The file was emptied or replaced, and its former content is read. */
    private boolean isOver;

    GrowingFile(Path path) {
        this.path = path;
    }

    /**
     * The next line, with its newline.
     *
     * @param isLast whether nothing more comes, so that a line without a newline counts
     */
    Optional<byte[]> next(boolean isLast) throws IOException {
        int searched = 0;
        do {
            for (int index = from + searched; index < to; index++) {
                if (bytes[index] == '\n') {
                    return Optional.of(take(index + 1));
                }
            }
            searched = to - from;
        } while (searched < LONGEST && fill());
        boolean isPiece = searched > 0 && (isLast || isOver || searched >= LONGEST);
        return isPiece ? Optional.of(take(to)) : Optional.empty();
    }

    private byte[] take(int end) {
        start = position - (to - from);
        byte[] line = Arrays.copyOfRange(bytes, from, end);
        from = end;
        return line;
    }

    /** The offset at which the last returned line began. */
    long start() {
        return start;
    }

    /** Reads more; false: there is no more now. */
    private boolean fill() throws IOException {
        if (isOver && to == from) {
            restart();
        }
        FileChannel open = channel == null ? open() : channel;
        if (open == null) {
            return false;
        }
        makeRoom();
        int count = open.read(ByteBuffer.wrap(bytes, to, bytes.length - to), position);
        if (count > 0) {
            to += count;
            position += count;
            return true;
        }
        isOver = open.size() < position || isReplaced();
        return isOver && to == from && fill();
    }

    private void makeRoom() {
        System.arraycopy(bytes, from, bytes, 0, to - from);
        to -= from;
        from = 0;
        if (to == bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(PIECE, 2 * bytes.length));
        }
    }

    /** A renamed file may still grow. Only content in the new file shows that the writer uses that one. */
    private boolean isReplaced() throws IOException {
        return Files.exists(path) && !identity.equals(SafeFile.identity(path)) && Files.size(path) > 0;
    }

    private void restart() throws IOException {
        close();
        isOver = false;
        position = 0;
    }

    /** Closes the file, which has no more lines. */
    void close() throws IOException {
        if (channel != null) {
            channel.close();
            channel = null;
        }
    }

    private @Nullable FileChannel open() throws IOException {
        if (Files.isRegularFile(path)) {
            channel = FileChannel.open(path);
            identity = SafeFile.identity(path);
        }
        return channel;
    }
}
