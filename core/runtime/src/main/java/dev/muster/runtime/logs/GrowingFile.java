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

/** Reads the lines of a file that others write to, and may empty, or rename and make again. */
final class GrowingFile {

    private static final int PIECE = 8 * 1024;

    /** A longer line comes in pieces. */
    private static final int LONGEST = 1024 * 1024;

    private final Path path;
    private @Nullable FileChannel channel;
    private Optional<Object> identity = Optional.empty();
    /** Where the next bytes are read. */
    private long position;

    private byte[] bytes = {};
    private int from;
    private int to;
    /** Where the line began that was given last. */
    private long start;
    /** What is read is all that the file had before it was emptied or made again. */
    private boolean isOver;

    GrowingFile(Path path) {
        this.path = path;
    }

    /**
     * The next line, with its end.
     *
     * @param isLast whether it may be without an end: nothing more comes
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

    /** Where in the file the line began that was given last. */
    long start() {
        return start;
    }

    /** Reads more; false: there is none now. */
    private boolean fill() throws IOException {
        if (isOver && to == from) {
            beginAnew();
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

    /** What was renamed may still be written to: only something in the new file tells that it is not. */
    private boolean isReplaced() throws IOException {
        return Files.exists(path) && !identity.equals(SafeFile.identity(path)) && Files.size(path) > 0;
    }

    private void beginAnew() throws IOException {
        close();
        isOver = false;
        position = 0;
    }

    /** What has no more lines needs no file. */
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
