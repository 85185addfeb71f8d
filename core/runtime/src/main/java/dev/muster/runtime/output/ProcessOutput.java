package dev.muster.runtime.output;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Where the output of one process goes to. */
public final class ProcessOutput implements OpenLines.Source {

    /** What programs print at once that do not print line by line: one block or several. */
    private static final int BLOCK = 4096;

    private final StreamSpec spec;
    private final OutputPipe pipe;
    private final @Nullable LogFile log;
    private final LineFormatter lines;
    private final Tail tail;
    private long heldSince;
    private long lastHeard = -1;
    private volatile @Nullable EndOfOutput end;
    private volatile LastOutput beforeStop = LastOutput.NOTHING;
    private long lastBlock = System.nanoTime() - OpenLines.LONGEST;

    ProcessOutput(StreamSpec spec, OutputPipe pipe, @Nullable LogFile log, LineFormatter lines) {
        this.spec = spec;
        this.pipe = pipe;
        this.log = log;
        this.lines = lines;
        this.tail = new Tail(spec.kept());
    }

    /** The file to which the process's output is redirected; empty: leave it to the JDK, and hand it to {@link #started}. */
    public Optional<Path> target() {
        return pipe.target();
    }

    /**
     * The process was started.
     *
     * @param output what the JDK gives as the process's output
     */
    public void started(InputStream output) throws IOException {
        pipe.started(output);
    }

    /** The process was not started. */
    public void failedToStart() throws IOException {
        pipe.closeWriteEnd();
    }

    String id() {
        return spec.id();
    }

    Optional<String> pipe() {
        return pipe.name();
    }

    String name() {
        return spec.name();
    }

    Pipe.SourceChannel source() {
        return pipe.source();
    }

    /** Empty as long as somebody can still print into it. */
    Optional<EndOfOutput> end() {
        return Optional.ofNullable(end);
    }

    LastOutput last() {
        return tail.read();
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

    /**
     * Something has come.
     *
     * @param place in the order of all outputs' events
     * @param quiet place up to which the kernel has nothing more to tell
     * @param isEnd whether it was the end
     */
    void heard(long place, long quiet, boolean isEnd) {
        if (isEnd) {
            end = new EndOfOutput(lastHeard > quiet ? lastHeard : place, place);
        }
        lastHeard = place;
    }

    @Override
    public boolean holds() {
        return lines.holds();
    }

    @Override
    public boolean holdsProgress() {
        return lines.holdsProgress();
    }

    @Override
    public long heldSince() {
        return heldSince;
    }

    @Override
    public boolean printsBlocks() {
        return heldSince - lastBlock < OpenLines.LONGEST;
    }

    void showPartial() {
        lines.showPartial();
    }

    /** There is nothing more to come, or nobody wants it. */
    void finish() throws IOException {
        pipe.source().close();
        lines.finish();
        if (log != null) {
            log.close();
        }
    }
}
