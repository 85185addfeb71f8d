package dev.muster.runtime.output;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** What one rank prints, or a process for itself: its log, its lines on the console, and what is remembered of it. */
final class RankOutput {

    private final @Nullable LogFile log;
    private final LineFormatter lines;
    private final Tail tail;

    RankOutput(@Nullable LogFile log, LineFormatter lines, int kept) {
        this.log = log;
        this.lines = lines;
        this.tail = new Tail(kept);
    }

    LastOutput last() {
        return tail.read();
    }

    @Nullable LogFile log() {
        return log;
    }

    LineFormatter lines() {
        return lines;
    }

    /** Keeps it, and shows nothing. */
    void keep(byte[] bytes, int count) {
        tail.append(bytes, count);
        if (log != null) {
            log.write(ByteBuffer.wrap(bytes, 0, count));
        }
    }

    void close() {
        lines.finish();
        if (log != null) {
            log.close();
        }
    }
}
