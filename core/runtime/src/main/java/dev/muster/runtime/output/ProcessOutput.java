package dev.muster.runtime.output;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Where the output of one process goes to. */
public final class ProcessOutput {

    private final StreamSpec spec;
    private final OutputPipe pipe;
    private final @Nullable LogFile log;
    private final ConsoleLines lines;
    private final boolean isShown;
    private final Tail tail;
    private long heldSince;
    private volatile OptionalLong printedAt = OptionalLong.empty();
    private volatile boolean isOver;
    private volatile String beforeStop = "";

    /** @param isShown else the console gets only what the log does not */
    ProcessOutput(StreamSpec spec, OutputPipe pipe, @Nullable LogFile log, ConsoleLines lines, boolean isShown) {
        this.isShown = isShown;
        this.spec = spec;
        this.pipe = pipe;
        this.log = log;
        this.lines = lines;
        this.tail = new Tail(spec.kept());
    }

    /** Where it comes from. */
    public OutputPipe pipe() {
        return pipe;
    }

    StreamSpec spec() {
        return spec;
    }

    String last() {
        return tail.read();
    }

    /** Empty: it has printed nothing. */
    OptionalLong printedAt() {
        return printedAt;
    }

    /** Whether nothing more comes. */
    boolean isOver() {
        return isOver;
    }

    void stopBegins() {
        beforeStop = last();
    }

    String lastBeforeStop() {
        return beforeStop;
    }

    LogReport report() {
        return log == null
                ? new LogReport(Optional.empty(), 0, 0, tail::read)
                : new LogReport(Optional.of(log.path()), log.logged(), log.lost(), tail::read);
    }

    // --- the pump thread

    /**
     * Passes on what has come.
     *
     * @param buffer in the hands of nobody else
     * @param bytes as long as the buffer
     * @return the number of bytes, 0 when there is nothing at the moment, -1 when there will be nothing more
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
        boolean held = lines.holds();
        if (lines.accept(bytes, count) || !held) {
            heldSince = System.nanoTime();
        }
    }

    /** What the console gets of it. */
    ConsoleLines lines() {
        return lines;
    }

    /** When the line that is held back began to come. */
    long heldSince() {
        return heldSince;
    }

    /** There is nothing more to come, or nobody wants it. */
    void finish() throws IOException {
        isOver = true;
        pipe.close();
        lines.finish();
        if (log != null) {
            log.close();
        }
    }
}
