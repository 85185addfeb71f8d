package dev.muster.runtime.files;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/**
 * Standard output or standard error, which waits while its reader is slow. Whoever else has the same pipe, terminal or socket may have made
 * it non-blocking, for all, at any time (Node.js, ssh and asyncio do): the kernel then refuses what does not fit, as if nobody read at all.
 */
public final class PatientStream extends OutputStream {

    /** A pipe that refuses has taken a piece of this length (PIPE_BUF) as a whole, or nothing of it. */
    private static final int PIECE = 4096;

    /** EAGAIN. */
    private static final String FULL = "Resource temporarily unavailable";

    private static final long SHORTEST_PAUSE = Duration.ofMillis(1).toNanos();
    private static final long LONGEST_PAUSE = Duration.ofMillis(16).toNanos();

    private final OutputStream stream;
    private final boolean takesPieces;
    private boolean hasRefused;

    /**
     * @param takesPieces whether what refuses a piece has taken nothing of it. Else that is known of single bytes only, and part of the piece
     *     that is refused first comes twice
     */
    PatientStream(OutputStream stream, boolean takesPieces) {
        this.stream = stream;
        this.takesPieces = takesPieces;
    }

    /** The launcher's own standard output. */
    public static OutputStream out() {
        return new PatientStream(new FileOutputStream(FileDescriptor.out), isPipe(1));
    }

    /** The launcher's own standard error. */
    public static OutputStream err() {
        return new PatientStream(new FileOutputStream(FileDescriptor.err), isPipe(2));
    }

    /** Of a named pipe it is not known, which makes it slower when it is full. */
    private static boolean isPipe(int descriptor) {
        try {
            return Files.readSymbolicLink(Descriptors.of(descriptor)).toString().startsWith("pipe:");
        } catch (IOException noProc) {
            return false;
        }
    }

    @Override
    public void write(int data) throws IOException {
        write(new byte[] {(byte) data}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int from, int count) throws IOException {
        int done = 0;
        long pause = SHORTEST_PAUSE;
        while (done < count) {
            int piece = Math.min(takesPieces || !hasRefused ? PIECE : 1, count - done);
            if (isTaken(bytes, from + done, piece)) {
                done += piece;
                pause = SHORTEST_PAUSE;
            } else {
                hasRefused = true;
                LockSupport.parkNanos(pause);
                // Who was interrupted, as code of a plugin can do it, would not wait any more.
                Thread.interrupted();
                pause = Math.min(2 * pause, LONGEST_PAUSE);
            }
        }
    }

    private boolean isTaken(byte[] bytes, int from, int count) throws IOException {
        try {
            stream.write(bytes, from, count);
            return true;
        } catch (IOException refused) {
            if (FULL.equals(refused.getMessage())) {
                return false;
            }
            throw refused;
        }
    }

    @Override
    public void flush() throws IOException {
        stream.flush();
    }
}
