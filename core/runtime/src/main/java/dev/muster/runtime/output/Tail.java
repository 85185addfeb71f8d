package dev.muster.runtime.output;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The last bytes that one process printed, kept in memory so that a verdict can quote them whatever became of the log. A carriage
 * return takes back what stands in its line, as a terminal shows it: of a progress bar only the latest state is kept. Takes no
 * memory before the process prints. The pump thread writes it; anybody may read it.
 */
final class Tail {

    private static final int FIRST = 512;
    private static final byte[] NOTHING = new byte[0];

    private final int capacity;
    private byte[] bytes = NOTHING;
    private int length;
    /** Where the last line begins. */
    private int lineStart;
    /** A carriage return has come; what follows tells whether it ends the line or takes it back. */
    private boolean returned;

    private boolean isCut;
    /** The beginning of the first line is gone. */
    private boolean isTorn;

    /** @param capacity in bytes */
    Tail(int capacity) {
        this.capacity = capacity;
    }

    /** Takes the first {@code count} bytes. */
    synchronized void append(byte[] printed, int count) {
        int from = Math.max(0, count - capacity);
        if (from > 0) {
            length = 0;
            lineStart = 0;
            returned = false;
            isCut = true;
            isTorn = printed[from - 1] != '\n';
        }
        if (!returned && Newlines.firstReturn(printed, from, count) < 0) {
            addLines(printed, from, count);
        } else {
            addReturning(printed, from, count);
        }
    }

    /** Without a carriage return, as most that is printed fast. */
    private void addLines(byte[] printed, int from, int to) {
        int end = Newlines.last(printed, from, to) + 1;
        if (end > 0) {
            add(printed, from, end);
            lineStart = length;
            add(printed, end, to);
        } else {
            add(printed, from, to);
        }
    }

    private void addReturning(byte[] printed, int from, int to) {
        int start = from;
        for (int index = from; index < to; index++) {
            if (returned && printed[index] != '\r') {
                returned = false;
                if (printed[index] != '\n') {
                    length = lineStart;
                    isTorn &= lineStart > 0;
                }
            }
            if (printed[index] == '\n') {
                add(printed, start, index + 1);
                start = index + 1;
                lineStart = length;
            } else if (printed[index] == '\r') {
                add(printed, start, index);
                start = index + 1;
                returned = true;
            }
        }
        add(printed, start, to);
    }

    private void add(byte[] printed, int from, int to) {
        int count = to - from;
        int excess = length + count - capacity;
        if (excess > 0) {
            isTorn = bytes[excess - 1] != '\n';
            System.arraycopy(bytes, excess, bytes, 0, length - excess);
            length -= excess;
            lineStart = Math.max(0, lineStart - excess);
            isCut = true;
        }
        if (length + count > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.min(capacity, Math.max(FIRST, 2 * (length + count))));
        }
        System.arraycopy(printed, from, bytes, length, count);
        length += count;
    }

    /** What was printed last, without what the missing beginning of a line or a word has left: it may be the end of a secret. */
    synchronized LastOutput read() {
        int start = isTorn ? firstWhole() : 0;
        if (start == length && length > 0) {
            return new LastOutput("(a word of more than " + length + " bytes)", false);
        }
        return new LastOutput(new String(bytes, start, length - start, StandardCharsets.UTF_8), !isCut);
    }

    private int firstWhole() {
        int end = Newlines.first(bytes, 0, length);
        if (end >= 0 && end + 1 < length) {
            return end + 1;
        }
        int start = 0;
        while (start < length && bytes[start] != ' ') {
            start++;
        }
        return start;
    }
}
