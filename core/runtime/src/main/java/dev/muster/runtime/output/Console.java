package dev.muster.runtime.output;

import dev.muster.runtime.files.PatientStream;
import dev.muster.runtime.text.Printable;
import dev.muster.runtime.text.Secrets;
import dev.muster.runtime.text.Shortened;
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
    /** Who printed the unfinished line at the end of what is queued for standard output. */
    private @Nullable LineFormatter lineOwner;
    /** The last byte queued for standard output is not the end of a line. */
    private boolean lineOpen;
    /** Hides secrets in what Muster says. */
    private volatile UnaryOperator<String> mask = new Secrets(List.of())::hide;
    /** Bytes dropped since the user was last told. */
    private long dropped;

    /** The console of this process. Call it before any file is opened. */
    public static Console standard() {
        StandardStreams.fillGaps();
        return new Console(PatientStream.out(), PatientStream.err(), StandardStreams::shareTarget);
    }

    /** A console for tests and embedders; the two never end in the same place. */
    public static Console onto(OutputStream out, OutputStream err) {
        return new Console(out, err, () -> false);
    }

    /** @param shared whether the two end in the same place, so that a line of one can tear a line of the other */
    Console(OutputStream out, OutputStream err, BooleanSupplier shared) {
        this.queue = new ConsoleQueue(new Outlet("standard output", out), new Outlet("standard error", err), this::say);
        this.shared = shared;
    }

    /** From now on what Muster says passes through this, which hides the job's secrets. */
    public void mask(UnaryOperator<String> ofTheJob) {
        mask = ofTheJob;
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
        byte[] bytes = own(mask.apply(line));
        synchronized (queue) {
            if (lineOpen && shared.getAsBoolean()) {
                breakLine();
            }
            if (queue.hasRoomForMessage()) {
                queue.add(true, bytes, 0, bytes.length);
            }
        }
    }

    /** Shows a line of Muster's own on standard error without any thread; for when none can be made. */
    public static void sayAtOnce(String line) {
        byte[] bytes = own(line);
        new Outlet("standard error", PatientStream.err()).write(bytes, 0, bytes.length);
    }

    /** Stack traces are indented. */
    private static byte[] own(String line) {
        String indent = line.startsWith("\t") ? "\t" : "";
        return (PREFIX + indent + printable(line.substring(indent.length())) + "\n").getBytes(StandardCharsets.UTF_8);
    }

    /** Of a length that somebody reads: what is quoted may be of any. */
    private static String printable(String masked) {
        return Shortened.message(Printable.escape(masked));
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

    /** Shows a line of Muster's own that the user should not overlook. */
    public void warn(String line) {
        say("warning: " + line);
    }

    /**
     * Queues output of a process.
     *
     * @param owner of the lines
     * @param continues the batch begins in the middle of a line of which the owner has printed the beginning
     * @param endsOpen the batch ends in the middle of a line
     */
    void print(LineFormatter owner, Chunk batch, boolean continues, boolean endsOpen) {
        synchronized (queue) {
            if (!queue.awaitRoom()) {
                drop(owner, batch.length());
                owner.cut(endsOpen);
                return;
            }
            if (continues && owner.isCut()) {
                int rest = Newlines.first(batch.bytes(), 0, batch.length()) + 1;
                drop(owner, rest == 0 ? batch.length() : rest);
                if (rest > 0) {
                    owner.cut(false);
                    show(owner, batch, rest, false, endsOpen);
                }
            } else {
                show(owner, batch, 0, continues, endsOpen);
            }
        }
    }

    private void drop(LineFormatter owner, int bytes) {
        dropped += bytes;
        if (lineOwner == owner) {
            lineOwner = null;
        }
    }

    private void show(LineFormatter owner, Chunk batch, int start, boolean continues, boolean endsOpen) {
        tellDropped();
        boolean resumes = continues && lineOwner == owner;
        boolean onlyEnds = continues && !resumes && batch.startsWithNewline();
        int from = onlyEnds ? start + 1 : start;
        if (from < batch.length()) {
            if (lineOpen && !resumes) {
                breakLine();
            }
            if (continues && !resumes && !onlyEnds) {
                queue.add(false, owner.prefix(), 0, owner.prefix().length);
            }
            queue.add(false, batch.bytes(), from, batch.length() - from);
            lineOpen = endsOpen;
            lineOwner = endsOpen ? owner : null;
        }
    }

    private void breakLine() {
        queue.add(false, NEWLINE, 0, 1);
        lineOpen = false;
        lineOwner = null;
    }

    private void tellDropped() {
        if (dropped > 0) {
            String message = notShownMessage(dropped);
            dropped = 0;
            say(message);
        }
    }

    private static String notShownMessage(long bytes) {
        return bytes + " bytes not shown: the console was not read for more than a second; log files are complete";
    }
}
