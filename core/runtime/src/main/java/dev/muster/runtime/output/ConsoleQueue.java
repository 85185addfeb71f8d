package dev.muster.runtime.output;

import dev.muster.runtime.files.IoReasons;
import dev.muster.runtime.threads.Daemon;
import java.io.IOException;
import java.io.OutputStream;
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

    private static final int CAPACITY = 64 * 1024;
    private static final int CHUNKS = 8 * 1024 * 1024 / CAPACITY;
    /** Room kept for Muster's own lines. */
    private static final int RESERVE = 4;
    /** Small enough that a pipe's reader is seen to take something, large enough to be fast. */
    private static final int PIECE = 4096;

    /** Chunks kept for later use. */
    private static final int SPARE = 16;

    private static final long STALL = Duration.ofSeconds(1).toNanos();
    private static final long IDLE = Duration.ofHours(1).toNanos();

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

    ConsoleQueue(OutputStream out, OutputStream err, Consumer<String> warnings) {
        this.out = new Outlet("standard output", out);
        this.err = new Outlet("standard error", err);
        this.warnings = warnings;
    }

    /** A piece for one of the two. */
    private static final class Chunk {

        private final byte[] bytes = new byte[CAPACITY];
        private int length;
        private Outlet outlet;

        Chunk(Outlet outlet) {
            this.outlet = outlet;
        }
    }

    /** Once it refuses a byte, it takes everything and drops it. */
    private static final class Outlet {

        private final String name;
        private final OutputStream stream;
        private boolean closed;
        private String reason = "";

        Outlet(String name, OutputStream stream) {
            this.name = name;
            this.stream = stream;
        }

        /** False when this call found it closed; later calls are true again. */
        boolean write(byte[] bytes, int from, int count) {
            try {
                if (!closed) {
                    stream.write(bytes, from, count);
                }
                return true;
            } catch (IOException e) {
                closed = true;
                reason = IoReasons.of(e);
                return false;
            }
        }
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
    synchronized void add(boolean error, byte[] bytes, int from, int to) {
        int start = from;
        while (start < to) {
            Chunk last = last(error ? err : out);
            int count = Math.min(CAPACITY - last.length, to - start);
            System.arraycopy(bytes, start, last.bytes, last.length, count);
            last.length += count;
            start += count;
        }
    }

    /** The chunk that takes more. */
    private Chunk last(Outlet outlet) {
        Chunk last = waiting.peekLast();
        if (last != null && last.outlet.equals(outlet) && last.length < CAPACITY) {
            return last;
        }
        if (!started) {
            // First, or nobody would write what is waited for later, where no thread can be made now.
            Daemon.start("console", this::writeAll);
            started = true;
        }
        Chunk next = spare.isEmpty() ? new Chunk(outlet) : spare.remove();
        next.outlet = outlet;
        next.length = 0;
        waiting.add(next);
        notifyAll();
        return next;
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
            bytes += chunk.outlet.equals(out) ? chunk.length : 0;
        }
        waiting.removeIf(chunk -> chunk.outlet.equals(out));
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
        List<Chunk> messages;
        synchronized (this) {
            messages = new ArrayList<>(waiting);
            waiting.clear();
        }
        messages.forEach(message -> err.write(message.bytes, 0, message.length));
    }

    synchronized void close() {
        closed = true;
        notifyAll();
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
            await(IDLE);
        }
        writing = true;
        lastProgress = System.nanoTime();
        return waiting.poll();
    }

    private void write(Chunk chunk) {
        int written = 0;
        while (written < chunk.length) {
            unwritten = chunk.outlet.equals(out) ? chunk.length - written : 0;
            int piece = Math.min(PIECE, chunk.length - written);
            if (!chunk.outlet.write(chunk.bytes, written, piece)) {
                warnings.accept(chunk.outlet.name + " is closed (" + chunk.outlet.reason
                        + "); what the processes print goes to the log files alone");
            }
            lastProgress = System.nanoTime();
            written += piece;
        }
        unwritten = 0;
    }
}
