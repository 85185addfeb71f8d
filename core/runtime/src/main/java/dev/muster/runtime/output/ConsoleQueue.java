package dev.muster.runtime.output;

import dev.muster.runtime.threads.Daemon;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Console output that waits to be written, and the one thread that writes it. At most 8 MB wait. Callers hold the monitor of
 * the queue over what belongs together.
 */
final class ConsoleQueue {

    private static final int CHUNKS = 8 * 1024 * 1024 / Chunk.CAPACITY;
    /** Room kept for Muster's own lines. */
    private static final int RESERVE = 4;
    /** Small enough that a pipe's reader is seen to take something, large enough to be fast. */
    private static final int PIECE = 4096;

    /** Chunks kept for later use. */
    private static final int SPARE = 16;

    private static final long STALL = Duration.ofSeconds(1).toNanos();

    private final Outlet out;
    private final Outlet err;
    private final Consumer<String> warnings;
    private final ArrayDeque<Chunk> waiting = new ArrayDeque<>();
    private final ArrayDeque<Chunk> spare = new ArrayDeque<>();
    private boolean started;
    private boolean closed;
    private boolean writing;
    private volatile long lastProgress;
    private volatile long unwritten;

    ConsoleQueue(Outlet out, Outlet err, Consumer<String> warnings) {
        this.out = out;
        this.err = err;
        this.warnings = warnings;
    }

    /** Waits for room as long as anybody reads; false when there is none. */
    synchronized boolean awaitRoom() {
        while (waiting.size() >= CHUNKS) {
            long patience = patience();
            if (closed || patience <= 0) {
                return false;
            }
            await(patience);
        }
        return true;
    }

    synchronized boolean hasRoomForMessage() {
        return waiting.size() < CHUNKS + RESERVE;
    }

    /** Appends, however full the queue is. */
    synchronized void add(boolean error, byte[] bytes, int from, int count) {
        start();
        int done = 0;
        while (done < count) {
            Chunk tail = tail(error);
            int piece = Math.min(tail.room(), count - done);
            tail.append(bytes, from + done, piece);
            done += piece;
        }
        notifyAll();
    }

    /** Waits until all is written; false when nobody reads it any more. */
    synchronized boolean flush(long limit) {
        long deadline = System.nanoTime() + limit;
        while (!waiting.isEmpty() || writing) {
            long patience = Math.min(patience(), deadline - System.nanoTime());
            if (patience <= 0) {
                return false;
            }
            await(patience);
        }
        return true;
    }

    /** Nobody reads: bytes of standard output that will not be shown. */
    synchronized long abandon() {
        long bytes = unwritten;
        for (Chunk chunk : waiting) {
            bytes += chunk.isError() ? 0 : chunk.length();
        }
        waiting.removeIf(chunk -> !chunk.isError());
        return bytes;
    }

    /** The console thread is stuck in standard output: says what waits for standard error past it, if that one can. */
    void bypass(Duration limit) {
        Thread thread = Daemon.named("console-messages").newThread(this::writeMessages);
        try {
            thread.start();
            thread.join(limit.toMillis());
        } catch (OutOfMemoryError noThread) {
            // They stay unsaid: to write them here might take for ever.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void writeMessages() {
        List<Chunk> messages = new ArrayList<>();
        synchronized (this) {
            messages.addAll(waiting);
            waiting.clear();
        }
        for (Chunk message : messages) {
            if (message.isError()) {
                err.write(message.bytes(), 0, message.length());
            }
        }
    }

    synchronized void close() {
        closed = true;
        notifyAll();
    }

    private void start() {
        if (!started) {
            // First, or nobody would write what is waited for later, where no thread can be made now.
            Daemon.start("console", this::writeAll);
            started = true;
        }
    }

    private Chunk tail(boolean error) {
        Chunk tail = waiting.peekLast();
        if (tail == null || tail.isError() != error || tail.room() == 0) {
            Chunk next = spare.poll();
            tail = next == null ? new Chunk() : next;
            tail.reset(error);
            waiting.add(tail);
        }
        return tail;
    }

    /** Nanoseconds until the reader counts as gone. */
    private long patience() {
        return writing ? lastProgress + STALL - System.nanoTime() : STALL;
    }

    @SuppressWarnings("WaitNotInLoop") // The callers loop.
    private void await(long nanos) {
        try {
            wait(nanos / 1_000_000 + 1);
        } catch (InterruptedException ofNoMeaning) {
            // Only a plugin could have done that: the launcher interrupts no thread.
        }
    }

    @SuppressWarnings("WaitNotInLoop") // The callers loop.
    private void awaitChange() {
        try {
            wait();
        } catch (InterruptedException ofNoMeaning) {
            // As above.
        }
    }

    // --- the console thread

    private void writeAll() {
        for (Chunk chunk = next(null); chunk != null; chunk = next(chunk)) {
            write(chunk);
        }
    }

    /** The next chunk to write, null at the end; takes back the one before. */
    private synchronized @Nullable Chunk next(@Nullable Chunk written) {
        if (written != null && spare.size() < SPARE) {
            spare.add(written);
        }
        writing = false;
        notifyAll();
        while (waiting.isEmpty()) {
            if (closed) {
                return null;
            }
            awaitChange();
        }
        writing = true;
        lastProgress = System.nanoTime();
        return waiting.poll();
    }

    private void write(Chunk chunk) {
        Outlet outlet = chunk.isError() ? err : out;
        int written = 0;
        while (written < chunk.length()) {
            unwritten = chunk.isError() ? 0 : chunk.length() - written;
            int piece = Math.min(PIECE, chunk.length() - written);
            if (!outlet.write(chunk.bytes(), written, piece)) {
                warnings.accept(outlet.name() + " is closed; what the processes print goes to the log files alone");
            }
            lastProgress = System.nanoTime();
            written += piece;
        }
        unwritten = 0;
    }
}
