package dev.muster.runtime.output;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Passes the output of one process on to its log and the console. */
public final class ProcessOutput {

    private final StreamSpec spec;
    private final OutputPipe pipe;
    private final @Nullable LogFile log;
    private final ConsoleLines lines;
    private final boolean isShown;
    private final Tail tail;
    private long heldSince;
    private volatile OptionalLong printedAt = OptionalLong.empty();
    private volatile boolean hasEnded;
    private volatile String beforeStop = "";

    /** @param isShown if false, the console gets only what the log cannot take */
    ProcessOutput(StreamSpec spec, OutputPipe pipe, @Nullable LogFile log, ConsoleLines lines, boolean isShown) {
        this.isShown = isShown;
        this.spec = spec;
        this.pipe = pipe;
        this.log = log;
        this.lines = lines;
        this.tail = new Tail(spec.kept());
    }

    /** The pipe that the output comes from. */
    public OutputPipe pipe() {
        return pipe;
    }

    StreamSpec spec() {
        return spec;
    }

    String last() {
        return tail.read();
    }

    /** When the process printed last; empty: never. */
    OptionalLong printedAt() {
        return printedAt;
    }

    /** Whether the output has ended. */
    boolean hasEnded() {
        return hasEnded;
    }

    void markStop() {
        beforeStop = last();
    }

    String lastBeforeStop() {
        return beforeStop;
    }

    LogReport report() {
        if (log == null) {
            return new LogReport(Optional.empty(), 0, 0, tail::read);
        }
        // A file that was refused is somebody else's.
        Optional<Path> file = Optional.of(log.path()).filter(path -> log.logged() > 0 || log.lost() == 0);
        return new LogReport(file, log.logged(), log.lost(), tail::read);
    }

    // --- the pump thread

    /**
     * Passes on the output that is there.
     *
     * @param buffer a buffer that nothing else uses meanwhile
     * @param bytes an array as long as the buffer
     * @return the number of bytes; 0 if there is no output now, -1 at its end
     */
    int transfer(ByteBuffer buffer, byte[] bytes) throws IOException {
        buffer.clear();
        int count = pipe.source().read(buffer);
        if (count > 0) {
            buffer.flip();
            buffer.get(0, bytes, 0, count);
            tail.append(bytes, count);
            printedAt = OptionalLong.of(System.nanoTime());
            if (log != null) {
                log.write(buffer);
            }
            if (isShown || log == null || !log.isWritten()) {
                show(count, bytes);
            }
        }
        return count;
    }

    private void show(int count, byte[] bytes) {
        boolean held = lines.hasPartial();
        if (lines.accept(bytes, count) || !held) {
            heldSince = System.nanoTime();
        }
    }

    ConsoleLines lines() {
        return lines;
    }

    /** When the first byte of the held line came. */
    long heldSince() {
        return heldSince;
    }

    /** The output has ended, or is not needed any more. */
    void finish() throws IOException {
        hasEnded = true;
        pipe.close();
        lines.finish();
        if (log != null) {
            log.close();
        }
    }
}
