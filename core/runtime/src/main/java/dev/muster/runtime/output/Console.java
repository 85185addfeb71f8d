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
 * The launcher's standard output and standard error. Output of the processes goes to standard output, messages of Muster to
 * standard error. Both keep the order in which things happened.
 *
 * <p>A slow reader slows the processes down. If the reader takes nothing for a second, output that does not fit into the queue is
 * dropped. Muster tells how much. A closed console never changes how the job ends.
 */
public final class Console implements AutoCloseable {

    private static final String PREFIX = "muster: ";
    private static final byte[] NEWLINE = {'\n'};
    private static final long FLUSH_LIMIT = Duration.ofSeconds(10).toNanos();
    private static final Duration LAST_WORDS_LIMIT = Duration.ofMillis(200);

    private final ConsoleQueue queue;
    private final BooleanSupplier shared;
    /** Collects short lines, so that they enter the queue together. */
    private final byte[] batch = new byte[128 * 1024];

    private int batched;
    /** The process whose unfinished line is at the end of standard output. */
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

    /** A console for tests and embedders. The two streams never share a target. */
    public static Console onto(OutputStream out, OutputStream err) {
        return new Console(out, err, () -> false);
    }

    /** @param shared whether both streams share a target, so that a line of one can tear a line of the other */
    Console(OutputStream out, OutputStream err, BooleanSupplier shared) {
        this.queue = new ConsoleQueue(out, err, this::say);
        this.shared = shared;
    }

    /** From now on this function hides the job's secrets in what Muster says. */
    public void mask(UnaryOperator<String> ofTheJob) {
        mask = ofTheJob;
    }

    /** From now on messages of Muster have colours, or none. */
    public void color(boolean wanted) {
        isColored = wanted;
    }

    /** The text without the job's secrets, for other places than the console. */
    public String masked(String text) {
        return mask.apply(text);
    }

    /**
     * Shows a message of Muster on standard error. Never waits. The message becomes one line, without secrets and terminal control
     * characters.
     */
    public void say(String line) {
        if (!queue.hasRoomForMessage()) {
            // The reader is gone. Do not format a line that nobody sees.
            return;
        }
        byte[] bytes = messageBytes(mask.apply(line), isColored);
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

    /** Shows a message that the user should not overlook. */
    public void warn(String line) {
        say("warning: " + line);
    }

    /** Writes a message to standard error in the calling thread. It works where the JVM cannot make a thread. */
    public static void sayAtOnce(String line) {
        try (OutputStream err = StandardStreams.err()) {
            err.write(messageBytes(line, false));
        } catch (IOException closed) {
            // Nobody reads it.
        }
    }

    /**
     * Shows the stacks of all threads, for a user whose launcher hangs. The JVM's own answer to SIGQUIT is switched off. It would go to
     * standard output, between the lines of ranks.
     */
    public static void sayThreads() {
        Thread.getAllStackTraces().forEach((thread, frames) -> {
            sayAtOnce("thread " + thread.getName() + ": " + thread.getState());
            for (StackTraceElement frame : frames) {
                sayAtOnce("\tat " + frame);
            }
        });
    }

    /** Stack traces keep their indent. A long message is shortened, because it may quote text of any length. */
    private static byte[] messageBytes(String message, boolean isColored) {
        String indent = message.startsWith("\t") ? "\t" : "";
        String text = Shortened.message(Printable.escape(message.substring(indent.length())));
        String color = isColored ? color(text) : "";
        String line = PREFIX + indent + text;
        String shown = color.isEmpty() ? line : "\u001b[" + color + "m" + line + "\u001b[0m";
        return (shown + "\n").getBytes(StandardCharsets.UTF_8);
    }

    /** Warnings are yellow. The exit line is bold, and red for an error. */
    private static String color(String text) {
        if (text.startsWith("warning: ")) {
            return "33";
        }
        if (text.startsWith("exit 0: ")) {
            return "1";
        }
        return text.matches("exit [0-9]+: .*") ? "1;31" : "";
    }

    /** Shows what is queued while the reader takes it. Without a reader this takes little more than a second. */
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
     * Shows output of a process. Nothing else is shown within it.
     *
     * @param count the number of its bytes
     * @param output writes the bytes
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

    /** Adds bytes to the output. The caller holds the queue's monitor. */
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

    boolean hasOpenLine(LineFormatter owner) {
        return owner.equals(openLine);
    }

    /** The last line is unfinished, and belongs to this process. */
    void setOpenLine(LineFormatter owner) {
        openLine = owner;
    }

    /** The last line is complete. */
    void clearOpenLine() {
        openLine = null;
    }

    /** Ends an unfinished line, so that the next output begins a line. */
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
