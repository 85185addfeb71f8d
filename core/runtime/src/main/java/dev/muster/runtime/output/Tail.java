package dev.muster.runtime.output;

import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

/**
 * The last bytes of one process's output. The verdict can quote them even if the log is lost. It takes no memory before the process
 * prints. The pump thread writes it; any thread may read it.
 */
final class Tail {

    private static final int FIRST = 512;

    /** A carriage return overwrites its line, as on a terminal. Progress bars do so. */
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

    /** What was printed last. A cut line or word at the beginning is left out, because it may be the end of a secret. */
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
        // Overwritten text is not shown. So the text behind a carriage return is whole.
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
