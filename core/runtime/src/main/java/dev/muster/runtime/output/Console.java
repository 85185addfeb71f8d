package dev.muster.runtime.output;

import dev.muster.runtime.text.Printable;
import dev.muster.runtime.text.Secrets;
import dev.muster.runtime.text.Shortened;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The launcher's standard output and standard error. What the processes print goes to the one, what Muster says to the other,
 * in the order in which it happened.
 *
 * <p>A reader that is slow slows the processes down; one that takes nothing at all for a second loses what does not fit into
 * the queue, and is told how much. A closed console never changes how the job ends.
 */
public final class Console implements AutoCloseable {

    private static final String PREFIX = "muster: ";
    private static final byte[] NEWLINE = {'\n'};
    private static final long FLUSH_LIMIT = Duration.ofSeconds(10).toNanos();
    private static final Duration LAST_WORDS_LIMIT = Duration.ofMillis(200);

    private final ConsoleQueue queue;
    private final BooleanSupplier shared;
    /** What is being shown: lines are many and short, and the queue is asked for many at once. */
    private final byte[] batch = new byte[128 * 1024];

    private int batched;
    /** Whose unfinished line stands at the end of standard output. */
    private @Nullable LineFormatter openLine;
    /** Hides secrets in what Muster says. */
    private volatile UnaryOperator<String> mask = new Secrets(List.of())::hide;
    /** Whether what Muster says has colours. */
    private volatile boolean isColored;
    /** Bytes dropped since the user was last told. */
    private long dropped;

    /** The console of this process. */
    public static Console standard() {
        return new Console(StandardStreams.out(), StandardStreams.err(), StandardStreams::shareTarget);
    }

    /** A console for tests and embedders; the two never end in the same place. */
    public static Console onto(OutputStream out, OutputStream err) {
        return new Console(out, err, () -> false);
    }

    /** @param shared whether the two end in the same place, so that a line of one can tear a line of the other */
    Console(OutputStream out, OutputStream err, BooleanSupplier shared) {
        this.queue = new ConsoleQueue(out, err, this::say);
        this.shared = shared;
    }

    /** From now on what Muster says passes through this, which hides the job's secrets. */
    public void mask(UnaryOperator<String> ofTheJob) {
        mask = ofTheJob;
    }

    /** From now on what Muster says has colours, or none. */
    public void color(boolean wanted) {
        isColored = wanted;
    }

    /** A text without the job's secrets, for others than the reader of the console. */
    public String masked(String text) {
        return mask.apply(text);
    }

    /**
     * Shows a line of Muster's own on standard error. Never waits. Whatever it quotes, it stays one line that tells no secret
     * and does nothing to a terminal.
     */
    public void say(String line) {
        if (!queue.hasRoomForMessage()) {
            // Nobody reads: lines that will not be shown are not worth the work either.
            return;
        }
        byte[] bytes = own(mask.apply(line), isColored);
        synchronized (queue) {
            if (shared.getAsBoolean()) {
                breakLine();
                flushBatch();
            }
            if (queue.hasRoomForMessage()) {
                queue.add(true, bytes, 0, bytes.length);
            }
        }
    }

    /** Shows a line of Muster's own that the user should not overlook. */
    public void warn(String line) {
        say("warning: " + line);
    }

    /** Shows a line of Muster's own on standard error without any thread; for when none can be made. */
    public static void sayAtOnce(String line) {
        try (OutputStream err = StandardStreams.err()) {
            err.write(own(line, false));
        } catch (IOException closed) {
            // Nobody reads it.
        }
    }

    /**
     * Shows what all threads do, for who wonders why a launcher hangs. The JVM's own answer to SIGQUIT is switched off: it would
     * go to standard output, between the lines of ranks.
     */
    public static void sayThreads() {
        Thread.getAllStackTraces().forEach((thread, frames) -> {
            sayAtOnce("thread " + thread.getName() + ": " + thread.getState());
            for (StackTraceElement frame : frames) {
                sayAtOnce("\tat " + frame);
            }
        });
    }

    /** Stack traces are indented. What is quoted may be of any length: it is shortened to one that somebody reads. */
    private static byte[] own(String message, boolean isColored) {
        String indent = message.startsWith("\t") ? "\t" : "";
        String text = Shortened.message(Printable.escape(message.substring(indent.length())));
        String color = isColored ? color(text) : "";
        String line = PREFIX + indent + text;
        String shown = color.isEmpty() ? line : "\u001b[" + color + "m" + line + "\u001b[0m";
        return (shown + "\n").getBytes(StandardCharsets.UTF_8);
    }

    /** Warnings are yellow, the exit line is bold, and red when it is an error. */
    private static String color(String text) {
        if (text.startsWith("warning: ")) {
            return "33";
        }
        if (text.startsWith("exit 0: ")) {
            return "1";
        }
        return text.matches("exit [0-9]+: .*") ? "1;31" : "";
    }

    /** Shows all that is queued, as long as somebody reads it; takes little more than a second when nobody does. */
    @Override
    public void close() {
        boolean shown = queue.flush(FLUSH_LIMIT);
        synchronized (queue) {
            dropped += shown ? 0 : queue.abandon();
            tellDropped();
        }
        if (!shown || !queue.flush(FLUSH_LIMIT)) {
            queue.bypass(LAST_WORDS_LIMIT);
        }
        queue.close();
    }

    /**
     * Shows output of a process, between which nothing else is shown.
     *
     * @param count its bytes
     * @param output writes it
     */
    void show(int count, Runnable output) {
        synchronized (queue) {
            if (queue.awaitRoom()) {
                tellDropped();
                output.run();
                flushBatch();
            } else {
                dropped += count;
                openLine = null;
            }
        }
    }

    /** Adds bytes to what is shown, while it is. */
    void write(byte[] bytes, int from, int to) {
        int count = to - from;
        if (count > batch.length - batched) {
            flushBatch();
        }
        if (count > batch.length) {
            queue.add(false, bytes, from, to);
        } else {
            System.arraycopy(bytes, from, batch, batched, count);
            batched += count;
        }
    }

    private void flushBatch() {
        queue.add(false, batch, 0, batched);
        batched = 0;
    }

    boolean isOpen(LineFormatter owner) {
        return owner.equals(openLine);
    }

    /** What was written last is an unfinished line. */
    void open(LineFormatter owner) {
        openLine = owner;
    }

    /** What was written last has ended its line. */
    void ended() {
        openLine = null;
    }

    /** What comes next begins a line. */
    void breakLine() {
        if (openLine != null) {
            write(NEWLINE, 0, 1);
            openLine = null;
        }
    }

    private void tellDropped() {
        if (dropped > 0) {
            String message = dropped
                    + " bytes not shown: the console was not read for more than a second; log files are" + " complete";
            dropped = 0;
            say(message);
        }
    }
}
