package dev.muster.runtime.output;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Turns what one process prints into lines for the console, each with the process's prefix. Bytes pass unchanged, but for
 * this:
 *
 * <ul>
 *   <li>A line without an end is shown after a while ({@link OpenLines}), or at once where all open lines together are very long; if another process prints before its end comes, the
 *       rest starts a line of its own.
 *   <li>A line longer than 64 KB goes over several lines.
 *   <li>Of the states of a progress bar, which overwrites itself by carriage returns, the latest is shown about ten times a
 *       second.
 * </ul>
 *
 * Only the pump thread touches it.
 */
final class LineFormatter {

    static final int LINE_LIMIT = 64 * 1024;

    /** Bytes for an open line that are kept for the next one. */
    private static final int KEPT = 1024;

    private static final byte[] NOTHING = new byte[0];
    private static final byte[] NEWLINE = {'\n'};
    private static final byte[] RETURN = {'\r'};

    private final byte[] prefix;
    private final LineBatch batch;
    /** The end of the current line as far as it is known and not shown. */
    private byte[] held = NOTHING;

    private int heldLength;
    /** The beginning of the current line has been shown. */
    private boolean midLine;
    /** A part of the current line was dropped; the rest of it makes no sense. */
    private boolean cut;
    /** How many bytes of it stand on the console's current line. */
    private int shown;

    LineFormatter(String prefix, LineBatch batch) {
        this.prefix = prefix.getBytes(StandardCharsets.UTF_8);
        this.batch = batch;
    }

    byte[] prefix() {
        return prefix;
    }

    /** Whether {@link #showPartial} has something to show. */
    boolean holds() {
        return heldLength > 1 || (heldLength == 1 && held[0] != '\r');
    }

    /** Whether what is held has overwritten itself: it is meant to be seen while it changes. */
    boolean holdsProgress() {
        return lastReturn(held, heldLength) >= 0;
    }

    boolean isCut() {
        return cut;
    }

    /** The console, which drops what nobody reads, has dropped the current line or a part of it. */
    void cut(boolean isCut) {
        cut = isCut;
    }

    /**
     * Takes what the process printed, at most {@link #LINE_LIMIT} bytes.
     *
     * @return whether a line ended
     */
    boolean accept(byte[] bytes, int length) {
        int end = Newlines.last(bytes, length) + 1;
        batch.begin(this, midLine);
        if (end > 0) {
            int next = Newlines.first(bytes, 0, end) + 1;
            endLine(bytes, next);
            showLines(bytes, next, end);
        }
        hold(bytes, end, length);
        batch.flush(midLine);
        return end > 0;
    }

    /** Shows the beginning of a line whose end does not come. */
    void showPartial() {
        batch.begin(this, midLine);
        showHeld(heldLength > 0 && held[heldLength - 1] == '\r' ? heldLength - 1 : heldLength);
        batch.flush(midLine);
    }

    /** There is no more to come. */
    void finish() {
        batch.begin(this, midLine);
        showHeld(heldLength);
        batch.flush(midLine);
    }

    private void endLine(byte[] bytes, int length) {
        if (midLine && isProgress(bytes, length)) {
            hold(bytes, 0, length - 1);
            showHeld(heldLength > 0 && held[heldLength - 1] == '\r' ? heldLength - 1 : heldLength);
            show(held, 0, heldLength);
            show(NEWLINE, 0, 1);
        } else {
            show(held, 0, heldLength);
            show(bytes, 0, length);
        }
        heldLength = 0;
        midLine = false;
        letGo();
    }

    private void showLines(byte[] bytes, int from, int to) {
        if (prefix.length == 0) {
            batch.append(bytes, from, to - from);
            return;
        }
        int start = from;
        while (start < to) {
            int next = Newlines.first(bytes, start, to) + 1;
            batch.startLine(prefix.length + next - start);
            batch.append(prefix, 0, prefix.length);
            batch.append(bytes, start, next - start);
            start = next;
        }
    }

    private void hold(byte[] bytes, int from, int to) {
        int count = to - from;
        if (heldLength + count > LINE_LIMIT) {
            showHeld(heldLength);
        }
        if (heldLength + count > held.length) {
            int size = Math.min(LINE_LIMIT, Math.max(256, 2 * (heldLength + count)));
            batch.holds(size - held.length);
            held = Arrays.copyOf(held, size);
        }
        System.arraycopy(bytes, from, held, heldLength, count);
        heldLength += count;
        if (batch.isHeldTooMuch()) {
            showHeld(heldLength);
        }
    }

    /** There may be many processes, and each has had a long line once. */
    private void letGo() {
        if (heldLength == 0 && held.length > KEPT) {
            batch.holds(-held.length);
            held = NOTHING;
        }
    }

    /** Shows the first bytes of what is held, of a progress bar its latest state. */
    private void showHeld(int count) {
        int lastReturn = lastReturn(held, count);
        if (lastReturn >= 0 && midLine) {
            show(RETURN, 0, 1);
            batch.append(prefix, 0, prefix.length);
            shown = 0;
        }
        show(held, lastReturn + 1, count);
        System.arraycopy(held, count, held, 0, heldLength - count);
        heldLength -= count;
        letGo();
    }

    /** Shows a part of the current line. */
    private void show(byte[] bytes, int from, int to) {
        int start = from;
        while (start < to) {
            if (!midLine) {
                batch.append(prefix, 0, prefix.length);
                midLine = true;
                shown = 0;
            } else if (shown == LINE_LIMIT && bytes[start] != '\n') {
                batch.append(NEWLINE, 0, 1);
                batch.append(prefix, 0, prefix.length);
                shown = 0;
            }
            int piece = Math.min(to - start, Math.max(1, LINE_LIMIT - shown));
            batch.append(bytes, start, piece);
            shown = Math.min(LINE_LIMIT, shown + piece);
            start += piece;
        }
    }

    private boolean isProgress(byte[] bytes, int length) {
        boolean more = length > 1;
        return lastReturn(held, more ? heldLength + 1 : heldLength) >= 0 || lastReturn(bytes, length - 1) >= 0;
    }

    /** The index of the last carriage return before the last of {@code count} bytes, or -1. */
    private static int lastReturn(byte[] bytes, int count) {
        for (int index = count - 2; index >= 0; index--) {
            if (bytes[index] == '\r') {
                return index;
            }
        }
        return -1;
    }
}
