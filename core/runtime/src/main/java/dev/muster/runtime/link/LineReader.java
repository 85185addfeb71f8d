package dev.muster.runtime.link;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.function.Predicate;

/** Cuts what comes over a connection into lines. Holds no more than the beginning of a line that is not whole yet. */
final class LineReader {

    private static final byte[] NOTHING = {};

    private int limit;
    private byte[] pending = NOTHING;

    /** @param limit how long a line may be, in bytes without its end */
    LineReader(int limit) {
        this.limit = limit;
    }

    /** From the next line on, another length is allowed. */
    void allow(int bytes) {
        limit = bytes;
    }

    /**
     * Takes all bytes.
     *
     * @param lines gets each line that is whole now, without its end; false: no more are wanted
     * @return false when a line is too long, or no more were wanted
     */
    boolean read(ByteBuffer bytes, Predicate<byte[]> lines) {
        int start = bytes.position();
        for (int at = start; at < bytes.limit(); at++) {
            if (bytes.get(at) == '\n') {
                bytes.position(start);
                if (pending.length + at - start > limit) {
                    return false;
                }
                byte[] line = joined(bytes, at - start);
                pending = NOTHING;
                start = at + 1;
                if (!lines.test(line)) {
                    return false;
                }
            }
        }
        bytes.position(start);
        if (pending.length + bytes.remaining() > limit) {
            return false;
        }
        pending = joined(bytes, bytes.remaining());
        return true;
    }

    private byte[] joined(ByteBuffer bytes, int count) {
        if (count == 0) {
            return pending;
        }
        byte[] all = Arrays.copyOf(pending, pending.length + count);
        bytes.get(all, pending.length, count);
        return all;
    }
}
