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

/** The one thread that reads what all processes print. */
final class Pump {

    private static final int BUFFER = 64 * 1024;

    /** What a progress bar, or a process that is alone, has printed of a line is shown then: it may be a question. */
    private static final long SOON = Duration.ofMillis(100).toNanos();

    /**
     * Any other unfinished line is shown then. It cannot be completed once another process has printed, and whoever prints in blocks
     * cuts lines anywhere.
     */
    private static final long LATER = Duration.ofSeconds(2).toNanos();

    /** More than a pipe can hold was printed after the end; whoever prints it will not stop. */
    private static final long LARGEST_PIPE = 1024 * 1024;

    /** How long writing may take after the last byte was printed; a file system that hangs must not hang the launcher. */
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

    /** @param fold where lines of several processes are shown as one */
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
            // Where no thread can be made, nobody is to wait for its work.
            Daemon.start("output", this::run);
            started = true;
        }
        open.add(output);
        output.pipe().source().configureBlocking(false);
        output.pipe().source().register(selector, SelectionKey.OP_READ, output);
        selector.wakeup();
    }

    /**
     * Waits until all outputs have ended, then takes what there is and closes them.
     *
     * @param limit for the wait, in nanoseconds
     * @return those that had not ended
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
                // It forgets a call to wake up that came before; whoever calls has said so in "stopping".
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
        // Only a plugin could have interrupted this thread, and files would be closed under it.
        Thread.interrupted();
        try {
            int count = output.transfer(buffer, bytes);
            if (output.lines().holds()) {
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

    /** Unless the rest of the line has come, while the others were read or the console was not. */
    private void showOpenLines() {
        for (ProcessOutput output : List.copyOf(holding)) {
            int count = isDue(output) ? transfer(output) : 0;
            if (count < 0) {
                // Its key goes with its channel.
                finish(output);
            } else if (output.lines().holds() && isDue(output)) {
                output.lines().showPartial();
                holding.remove(output);
            }
        }
    }

    private boolean isDue(ProcessOutput output) {
        return due(output) - System.nanoTime() <= 0;
    }

    private synchronized long due(ProcessOutput output) {
        return output.heldSince() + (output.lines().holdsProgress() || open.size() == 1 ? SOON : LATER);
    }

    /** Milliseconds until the next line is due; 0: there is none. */
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
