package dev.muster.runtime.output;

import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

/**
 * The last bytes that one process printed, kept in memory so that a verdict can quote them whatever became of the log. Takes no
 * memory before the process prints. The pump thread writes it; anybody may read it.
 */
final class Tail {

    private static final int FIRST = 512;

    /** A carriage return takes back what stands in its line, as a terminal shows it: the states of a progress bar. */
    private static final Pattern OVERWRITTEN = Pattern.compile("(?md)^[^\n]*\r(?!\r*+\n|\r*+\\z)");

    private static final Pattern RETURNS = Pattern.compile("\r++(?=\n|\\z)");

    private final int capacity;
    private byte[] bytes = new byte[0];
    private int length;
    /** The beginning of the first line is gone. */
    private boolean isTorn;

    /** @param capacity in bytes */
    Tail(int capacity) {
        this.capacity = capacity;
    }

    /** Takes the first {@code count} bytes. */
    synchronized void append(byte[] printed, int count) {
        int taken = Math.min(count, capacity);
        int kept = Math.min(length, capacity - taken);
        if (taken < count || kept < length) {
            isTorn = (taken < count ? printed[count - taken - 1] : bytes[length - kept - 1]) != '\n';
        }
        int size = kept + taken;
        byte[] next = size > bytes.length ? new byte[Math.min(capacity, Math.max(FIRST, 2 * size))] : bytes;
        System.arraycopy(bytes, length - kept, next, 0, kept);
        System.arraycopy(printed, count - taken, next, kept, taken);
        bytes = next;
        length = size;
    }

    /** What was printed last, without what the missing beginning of a line or a word has left: it may be the end of a secret. */
    synchronized String read() {
        int start = isTorn ? firstWhole() : 0;
        if (start == length && length > 0) {
            return "(a word of more than " + length + " bytes)";
        }
        String text = new String(bytes, start, length - start, StandardCharsets.UTF_8);
        String shown = OVERWRITTEN.matcher(text).replaceAll("");
        return RETURNS.matcher(shown).replaceAll("");
    }

    private int firstWhole() {
        int end = Newlines.first(bytes, 0, length);
        int start = 0;
        // What a progress bar has overwritten is not shown, so what stands over it is whole.
        for (int at = 0; at + 1 < (end < 0 ? length : end); at++) {
            start = bytes[at] == '\r' ? at + 1 : start;
        }
        if (start > 0) {
            return start;
        }
        if (end >= 0 && end + 1 < length) {
            return end + 1;
        }
        while (start < length && bytes[start] != ' ') {
            start++;
        }
        return start;
    }
}
