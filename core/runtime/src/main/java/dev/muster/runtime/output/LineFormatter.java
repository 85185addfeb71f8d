package dev.muster.runtime.output;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Turns the output of one process into console lines with a prefix. Bytes pass unchanged, with these exceptions:
 *
 * <ul>
 *   <li>{@link Pump} shows an unfinished line after a while. If another process prints then, the rest becomes a new line.
 *   <li>A line of more than 16 KB that comes in pieces is cut into several lines.
 *   <li>A progress bar overwrites itself with carriage returns. Only its latest state is shown.
 * </ul>
 *
 * Only the pump thread uses it.
 */
final class LineFormatter implements ConsoleLines {

    /** With this limit, the unfinished lines of a thousand processes fit into the heap. */
    static final int LINE_LIMIT = 16 * 1024;

    /** Buffer bytes that are kept for the next line. */
    private static final int KEPT = 1024;

    private static final byte[] NOTHING = new byte[0];
    private static final byte[] NEWLINE = {'\n'};
    private static final byte[] RETURN = {'\r'};

    private final byte[] prefix;
    private final Console console;
    private final @Nullable TimeStamp stamp;
    /** The part of the current line that has come and is not shown. */
    private byte[] held = NOTHING;

    private int length;
    /** The beginning of the current line has been shown. */
    private boolean wasShown;
    /** The held text is a progress bar: it has overwritten earlier text of its line. */
    private boolean isProgress;

    /** @param stamp if present, each line begins with the time */
    LineFormatter(String prefix, Console console, @Nullable TimeStamp stamp) {
        this.prefix = prefix.getBytes(StandardCharsets.UTF_8);
        this.console = console;
        this.stamp = stamp;
    }

    @Override
    public boolean hasPartial() {
        return withoutReturn() > 0;
    }

    @Override
    public boolean hasProgress() {
        return isProgress;
    }

    /** The length without a carriage return at the end, which may be half of a CR LF. */
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
            // Many processes may each have had one long line.
            held = NOTHING;
        }
    }

    private void showLines(byte[] bytes, int end) {
        int next = Newlines.first(bytes, 0, end) + 1;
        boolean isOnlyEnd = wasShown && !console.hasOpenLine(this) && length + next == 1;
        if (!isOnlyEnd) {
            int overwritten = console.hasOpenLine(this) ? lastReturn(bytes, 0, next - 1) + 1 : 0;
            boolean hasReturned = console.hasOpenLine(this) && length > withoutReturn() && next > 1;
            if (overwritten > 0 || hasReturned) {
                length = 0;
                isProgress = true;
            }
            showHeld(length);
            console.write(bytes, overwritten, next);
            console.clearOpenLine();
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

    /** Shows the first held bytes, behind the part of the line that is already on the console. */
    private void showHeld(int count) {
        if (!console.hasOpenLine(this)) {
            console.breakLine();
            beginLine();
        } else if (isProgress) {
            console.write(RETURN, 0, 1);
            beginLine();
        }
        console.write(held, 0, count);
        console.setOpenLine(this);
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
            console.clearOpenLine();
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
