package dev.muster.runtime.output;

import dev.muster.runtime.threads.Daemon;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.LongStream;

/** The one thread that reads the output of all processes. */
final class Pump {

    private static final int BUFFER = 64 * 1024;

    /** The delay of an unfinished line of a progress bar or of the only process. It may be a question. */
    private static final long SOON = Duration.ofMillis(100).toNanos();

    /**
     * The delay of any other unfinished line. It cannot be completed once another process has printed. Processes that print in blocks cut
     * lines anywhere.
     */
    private static final long LATER = Duration.ofSeconds(2).toNanos();

    /** The most that is read at the end. A pipe cannot hold more, so the writer does not stop. */
    private static final long LARGEST_PIPE = 1024 * 1024;

    /** How long the last writes may take. A file system that hangs must not hang the launcher. */
    private static final long WRITE_LIMIT = Duration.ofSeconds(10).toNanos();

    private final Selector selector;
    private final Consumer<String> warnings;
    private final LineFold fold;
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER);
    private final byte[] bytes = new byte[BUFFER];
    private final Set<ProcessOutput> holding = new HashSet<>();
    private final List<ProcessOutput> open = new ArrayList<>();
    private boolean started;
    private volatile boolean stopping;
    private boolean stopped;

    /** @param fold shows equal lines of several processes as one */
    Pump(Consumer<String> warnings, LineFold fold) throws IOException {
        this.warnings = warnings;
        this.fold = fold;
        selector = Selector.open();
    }

    synchronized void add(ProcessOutput output) throws IOException {
        if (stopping) {
            throw new IOException("the output is closed");
        }
        if (!started) {
            // The thread comes first: if the JVM cannot make a thread, no output must wait for one.
            Daemon.start("output", this::run);
            started = true;
        }
        open.add(output);
        output.pipe().source().configureBlocking(false);
        output.pipe().source().register(selector, SelectionKey.OP_READ, output);
        selector.wakeup();
    }

    /**
     * Waits until all outputs have ended, then reads the rest and closes them.
     *
     * @param limit for the wait, in nanoseconds
     * @return the outputs that had not ended
     */
    synchronized List<ProcessOutput> stop(long limit) throws InterruptedException {
        long start = System.nanoTime();
        while (!open.isEmpty() && waitUntil(start + limit)) {}
        List<ProcessOutput> held = List.copyOf(open);
        stopping = true;
        selector.wakeup();
        long now = System.nanoTime();
        while (started && !stopped && waitUntil(now + WRITE_LIMIT)) {}
        return held;
    }

    /** Waits for a change; false when the deadline has passed. */
    @SuppressWarnings("WaitNotInLoop") // The callers loop.
    private boolean waitUntil(long deadline) throws InterruptedException {
        long left = deadline - System.nanoTime();
        if (left <= 0) {
            return false;
        }
        wait(left / 1_000_000 + 1);
        return true;
    }

    // --- the pump thread

    private void run() {
        try {
            while (!stopping) {
                Thread.interrupted();
                // selectNow() forgets an earlier wakeup(). Its caller set "stopping" or registered a channel before.
                if (selector.selectNow(this::read) == 0 && !stopping) {
                    selector.select(this::read, timeout());
                }
                showOpenLines();
                fold.showDue();
            }
            finishAll();
            fold.showAll();
            selector.close();
        } catch (IOException e) {
            warnings.accept("cannot read what the processes print: " + e.getMessage());
        } finally {
            markStopped();
        }
    }

    private void read(SelectionKey key) {
        ProcessOutput output = (ProcessOutput) key.attachment();
        int count = transfer(output);
        if (count < 0) {
            key.cancel();
            finish(output);
        }
    }

    private int transfer(ProcessOutput output) {
        // Only a plugin interrupts this thread. The interrupt would close the files that it uses.
        Thread.interrupted();
        try {
            int count = output.transfer(buffer, bytes);
            if (output.lines().hasPartial()) {
                holding.add(output);
            } else {
                holding.remove(output);
            }
            return count;
        } catch (IOException | RuntimeException e) {
            warnings.accept(output.spec().name() + ": cannot read its output: " + e);
            return -1;
        }
    }

    /** Shows unfinished lines that are due, unless their rest has come meanwhile. */
    private void showOpenLines() {
        for (ProcessOutput output : List.copyOf(holding)) {
            int count = isDue(output) ? transfer(output) : 0;
            if (count < 0) {
                // Closing the channel cancels its key.
                finish(output);
            } else if (output.lines().hasPartial() && isDue(output)) {
                output.lines().showPartial();
                holding.remove(output);
            }
        }
    }

    private boolean isDue(ProcessOutput output) {
        return due(output) - System.nanoTime() <= 0;
    }

    private synchronized long due(ProcessOutput output) {
        return output.heldSince() + (output.lines().hasProgress() || open.size() == 1 ? SOON : LATER);
    }

    /** Milliseconds until the next line is due; 0: no line waits. */
    private long timeout() {
        long now = System.nanoTime();
        return LongStream.concat(holding.stream().mapToLong(this::due), fold.due().stream())
                .map(due -> Math.max(1, (due - now) / 1_000_000 + 1))
                .min()
                .orElse(0);
    }

    private void finishAll() {
        for (ProcessOutput output : copyOfOpen()) {
            long total = 0;
            for (int count = 1; count > 0 && total < LARGEST_PIPE; total += count) {
                count = transfer(output);
            }
            finish(output);
        }
    }

    private void finish(ProcessOutput output) {
        try {
            output.finish();
        } catch (IOException | RuntimeException e) {
            warnings.accept(output.spec().name() + ": cannot end its output: " + e);
        }
        holding.remove(output);
        remove(output);
    }

    private synchronized List<ProcessOutput> copyOfOpen() {
        return List.copyOf(open);
    }

    private synchronized void remove(ProcessOutput output) {
        open.remove(output);
        notifyAll();
    }

    private synchronized void markStopped() {
        stopped = true;
        notifyAll();
    }
}
