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
 * Console output that waits to be written, and the only thread that writes it. The queue holds at most 8 MB. Callers hold the queue's
 * monitor to keep several pieces together.
 */
final class ConsoleQueue {

    private static final int CAPACITY = 64 * 1024;
    private static final int CHUNKS = 8 * 1024 * 1024 / CAPACITY;
    /** Room kept for Muster's own lines. */
    private static final int RESERVE = 4;
    /** Small, so that progress of a slow pipe reader is visible. Large enough to be fast. */
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

    /** A piece of output for one of the two streams. */
    private static final class Chunk {

        private final byte[] bytes = new byte[CAPACITY];
        private int length;
        private Outlet outlet;

        Chunk(Outlet outlet) {
            this.outlet = outlet;
        }
    }

    /** One of the two streams. After a failed write it drops everything. */
    private static final class Outlet {

        private final String name;
        private final OutputStream stream;
        private boolean closed;
        private String reason = "";

        Outlet(String name, OutputStream stream) {
            this.name = name;
            this.stream = stream;
        }

        /** False if this call found the stream closed. Later calls return true. */
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

    /** Waits for room while the reader takes output. False when there is no room. */
    synchronized boolean awaitRoom() {
        while (waiting.size() >= CHUNKS) {
            long patience = timeLeft();
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
            // Start the thread first. If the JVM cannot make one, nothing must be queued.
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

    /** Waits until all is written. False if the reader stops reading. */
    synchronized boolean flush(long limit) {
        long deadline = System.nanoTime() + limit;
        while (!waiting.isEmpty() || writing) {
            long patience = Math.min(timeLeft(), deadline - System.nanoTime());
            if (patience <= 0) {
                return false;
            }
            await(patience);
        }
        return true;
    }

    /** Drops standard output that nobody reads. Returns the number of bytes. */
    synchronized long abandon() {
        long bytes = unwritten;
        for (Chunk chunk : waiting) {
            bytes += chunk.outlet.equals(out) ? chunk.length : 0;
        }
        waiting.removeIf(chunk -> chunk.outlet.equals(out));
        return bytes;
    }

    /** The console thread hangs in a write to standard output. Another thread tries to write the queued messages to standard error. */
    void bypass(Duration limit) {
        Thread thread = Daemon.named("console-messages").newThread(this::writeMessages);
        try {
            thread.start();
            thread.join(limit.toMillis());
        } catch (OutOfMemoryError noThread) {
            // The messages are lost: a write in this thread might never return.
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
    private long timeLeft() {
        return writing ? lastProgress + STALL - System.nanoTime() : STALL;
    }

    @SuppressWarnings("WaitNotInLoop") // The callers loop.
    private void await(long nanos) {
        try {
            wait(nanos / 1_000_000 + 1);
        } catch (InterruptedException ofNoMeaning) {
            // Only a plugin interrupts threads.
        }
    }

    // --- the console thread

    private void writeAll() {
        for (Chunk chunk = next(null); chunk != null; chunk = next(chunk)) {
            write(chunk);
        }
    }

    /** The next chunk to write; null at the end. The written chunk is reused. */
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
