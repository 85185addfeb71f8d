package dev.muster.runtime.output;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Collects lines of one process, so that the console is not asked for each. Only the pump thread touches it. */
final class LineBatch {

    /** A line that was held back, what came with its end, and prefixes: only a line that is too long is ever cut. */
    private static final int CAPACITY = 2 * LineFormatter.LINE_LIMIT + 8 * 1024;

    /** Bytes of memory for the open lines of all processes: a thousand of them, each with the longest, would fill the heap. */
    private static final long MOST_HELD = 16 * 1024 * 1024;

    private final Console console;
    private final Chunk chunk = new Chunk(CAPACITY);
    private @Nullable LineFormatter owner;
    private boolean continues;
    private long held;

    LineBatch(Console console) {
        this.console = console;
    }

    /** @param midLine what comes continues a line of which the owner has shown the beginning */
    void begin(LineFormatter newOwner, boolean midLine) {
        owner = newOwner;
        continues = midLine;
    }

    /** A process holds back so many bytes more, or less. */
    void holds(int more) {
        held += more;
    }

    /** Whether open lines are shown before their time. */
    boolean isHeldTooMuch() {
        return held > MOST_HELD;
    }

    /** A line of this length, with its prefix, follows; it is kept in one piece if possible. */
    void startLine(int length) {
        if (length > chunk.room()) {
            flush(false);
        }
    }

    void append(byte[] bytes, int from, int count) {
        int done = 0;
        while (done < count) {
            if (chunk.room() == 0) {
                flush(true);
            }
            int piece = Math.min(chunk.room(), count - done);
            chunk.append(bytes, from + done, piece);
            done += piece;
        }
    }

    /** @param midLine what was appended ends in the middle of a line */
    void flush(boolean midLine) {
        if (chunk.length() > 0) {
            console.print(Objects.requireNonNull(owner), chunk, continues, midLine);
            chunk.reset(false);
            continues = midLine;
        }
    }
}
