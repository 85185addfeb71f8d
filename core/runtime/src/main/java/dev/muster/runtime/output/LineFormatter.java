package dev.muster.runtime.output;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Turns what one process prints into lines for the console, each with the process's prefix. Bytes pass unchanged, but for
 * this:
 *
 * <ul>
 *   <li>A line without an end is shown after a while ({@link Pump}); if another process prints before its end comes, the rest
 *       starts a line of its own.
 *   <li>A line longer than 16 KB that comes in pieces goes over several lines.
 *   <li>Of the states of a progress bar, which overwrites itself by carriage returns, the latest is shown.
 * </ul>
 *
 * Only the pump thread touches it.
 */
final class LineFormatter implements ConsoleLines {

    /** A thousand processes with an open line of this length fit into the heap. */
    static final int LINE_LIMIT = 16 * 1024;

    /** Bytes for an open line that are kept for the next one. */
    private static final int KEPT = 1024;

    private static final byte[] NOTHING = new byte[0];
    private static final byte[] NEWLINE = {'\n'};
    private static final byte[] RETURN = {'\r'};

    private final byte[] prefix;
    private final Console console;
    private final @Nullable TimeStamp stamp;
    /** The end of the current line as far as it is known and not shown. */
    private byte[] held = NOTHING;

    private int length;
    /** The beginning of the current line has been shown. */
    private boolean wasShown;
    /** What is held has overwritten what was shown or held before. */
    private boolean isProgress;

    /** @param stamp where each line begins with the time */
    LineFormatter(String prefix, Console console, @Nullable TimeStamp stamp) {
        this.prefix = prefix.getBytes(StandardCharsets.UTF_8);
        this.console = console;
        this.stamp = stamp;
    }

    @Override
    public boolean holds() {
        return withoutReturn() > 0;
    }

    @Override
    public boolean holdsProgress() {
        return isProgress;
    }

    /** A carriage return at the end may belong to a line end that is still to come. */
    private int withoutReturn() {
        return length > 0 && held[length - 1] == '\r' ? length - 1 : length;
    }

    @Override
    public boolean accept(byte[] bytes, int count) {
        int end = Newlines.last(bytes, 0, count) + 1;
        if (end > 0) {
            console.show(length + end, () -> showLines(bytes, end));
            endLine();
        }
        hold(bytes, end, count);
        return end > 0;
    }

    @Override
    public void showPartial() {
        int count = withoutReturn();
        console.show(count, () -> showHeld(count));
        System.arraycopy(held, count, held, 0, length - count);
        length -= count;
        isProgress = false;
        wasShown = true;
    }

    @Override
    public void finish() {
        if (length > 0) {
            console.show(length, () -> showHeld(length));
        }
        endLine();
    }

    private void endLine() {
        length = 0;
        isProgress = false;
        wasShown = false;
        if (held.length > KEPT) {
            // There may be many processes, and each has had a long line once.
            held = NOTHING;
        }
    }

    private void showLines(byte[] bytes, int end) {
        int next = Newlines.first(bytes, 0, end) + 1;
        boolean isOnlyEnd = wasShown && !console.isOpen(this) && length + next == 1;
        if (!isOnlyEnd) {
            int overwritten = console.isOpen(this) ? lastReturn(bytes, 0, next - 1) + 1 : 0;
            boolean hasReturned = console.isOpen(this) && length > withoutReturn() && next > 1;
            if (overwritten > 0 || hasReturned) {
                length = 0;
                isProgress = true;
            }
            showHeld(length);
            console.write(bytes, overwritten, next);
            console.ended();
        } else if (next < end) {
            console.breakLine();
        }
        showWhole(bytes, next, end);
    }

    private void showWhole(byte[] bytes, int from, int end) {
        int next = from;
        while (next < end) {
            int start = next;
            next = prefix.length == 0 && stamp == null ? end : Newlines.first(bytes, start, end) + 1;
            beginLine();
            console.write(bytes, start, next);
        }
    }

    private void beginLine() {
        if (stamp != null) {
            byte[] now = stamp.text();
            console.write(now, 0, now.length);
        }
        console.write(prefix, 0, prefix.length);
    }

    /** Shows the first bytes of what is held, behind what of the line stands on the console. */
    private void showHeld(int count) {
        if (!console.isOpen(this)) {
            console.breakLine();
            beginLine();
        } else if (isProgress) {
            console.write(RETURN, 0, 1);
            beginLine();
        }
        console.write(held, 0, count);
        console.open(this);
    }

    private void hold(byte[] bytes, int from, int to) {
        int start = lastReturn(bytes, from, to) + 1;
        boolean hasReturned = length > withoutReturn() && from < to;
        if (start > 0 || hasReturned) {
            length = 0;
            isProgress = true;
        }
        start = Math.max(start, from);
        while (start < to) {
            if (length == LINE_LIMIT) {
                showCutLine();
            }
            int count = Math.min(LINE_LIMIT - length, to - start);
            if (length + count > held.length) {
                held = Arrays.copyOf(held, Math.min(LINE_LIMIT, Math.max(256, 2 * (length + count))));
            }
            System.arraycopy(bytes, start, held, length, count);
            length += count;
            start += count;
        }
    }

    private void showCutLine() {
        console.show(length, () -> {
            showHeld(length);
            console.write(NEWLINE, 0, 1);
            console.ended();
        });
        length = 0;
        wasShown = false;
    }

    /** The index of the last carriage return before the last of these bytes, or -1. */
    private static int lastReturn(byte[] bytes, int from, int to) {
        for (int index = to - 2; index >= from; index--) {
            if (bytes[index] == '\r') {
                return index;
            }
        }
        return -1;
    }
}
