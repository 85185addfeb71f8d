package dev.muster.runtime.output;

import dev.muster.runtime.process.ProcessRequest.OutputTarget;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.SelectableChannel;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Where the output of one process goes to. */
public final class ProcessOutput {

    /** What programs print at once that do not print line by line: one block or several. */
    private static final int BLOCK = 4096;

    private final StreamSpec spec;
    private final OutputPipe pipe;
    private final Pump pump;
    private final @Nullable LogFile log;
    private final LineFormatter lines;
    private final Tail tail;
    private long heldSince;
    private volatile boolean isOver;
    private volatile LastOutput beforeStop = LastOutput.NOTHING;
    private long lastBlock = System.nanoTime() - OpenLines.LONGEST;

    ProcessOutput(StreamSpec spec, OutputPipe pipe, Pump pump, @Nullable LogFile log, LineFormatter lines) {
        this.spec = spec;
        this.pipe = pipe;
        this.pump = pump;
        this.log = log;
        this.lines = lines;
        this.tail = new Tail(spec.kept());
    }

    /** Where the process's output goes. */
    public OutputTarget target() {
        return pipe.target();
    }

    /** Where this JVM itself prints, in place of a process. Closed when there is nothing more. */
    public OutputStream sink() throws IOException {
        OutputStream sink = pipe.sink();
        if (!pipe.isReady()) {
            started();
        }
        return sink;
    }

    /** The process was started. */
    public void started() throws IOException {
        boolean isNew = !pipe.isReady();
        pipe.started();
        if (isNew) {
            pump.add(this);
        }
    }

    /** The process was not started. */
    public void failedToStart() throws IOException {
        if (pipe.isReady()) {
            pipe.started();
        } else {
            pipe.close();
        }
    }

    String id() {
        return spec.id();
    }

    String name() {
        return spec.name();
    }

    SelectableChannel channel() throws IOException {
        return pipe.channel();
    }

    LastOutput last() {
        return tail.read();
    }

    /** Whether nothing more comes. */
    boolean isOver() {
        return isOver;
    }

    void stopBegins() {
        beforeStop = last();
    }

    LastOutput lastBeforeStop() {
        return beforeStop;
    }

    StreamReport report() {
        return log == null
                ? new StreamReport(0, 0, Optional.empty())
                : new StreamReport(log.logged(), log.lost(), Optional.of(log.path()));
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
            if (log != null) {
                log.write(buffer);
            }
            long now = System.nanoTime();
            boolean held = lines.holds();
            if (lines.accept(bytes, count) || !held) {
                heldSince = now;
            }
            if (count >= BLOCK) {
                lastBlock = now;
            }
        }
        return count;
    }

    /** Whether a part of a line is held back. */
    boolean holds() {
        return lines.holds();
    }

    /** Whether that is a progress bar. */
    boolean holdsProgress() {
        return lines.holdsProgress();
    }

    /** When the line began to come. */
    long heldSince() {
        return heldSince;
    }

    /** Whether the part may be what the end of a block has left of a line. */
    boolean printsBlocks() {
        return heldSince - lastBlock < OpenLines.LONGEST;
    }

    void showPartial() {
        lines.showPartial();
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
