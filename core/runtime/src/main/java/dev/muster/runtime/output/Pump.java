package dev.muster.runtime.output;

import dev.muster.runtime.threads.Daemon;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** The one thread that reads what all processes print. */
final class Pump {

    private static final int BUFFER = LineFormatter.LINE_LIMIT;

    /** More than a pipe can hold was printed after the end; whoever prints it will not stop. */
    private static final long LARGEST_PIPE = 1024 * 1024;

    private final Selector selector;
    private final Consumer<String> warnings;
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER);
    private final byte[] bytes = new byte[BUFFER];
    private final OpenLines openLines = new OpenLines(System.nanoTime());
    private final List<ProcessOutput> open = new ArrayList<>();
    private boolean started;
    private volatile boolean stopping;
    private boolean stopped;

    Pump(Consumer<String> warnings) throws IOException {
        this.warnings = warnings;
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
        output.channel().register(selector, SelectionKey.OP_READ, output);
        selector.wakeup();
    }

    /**
     * Waits until all outputs have ended, then takes what there is and closes them.
     *
     * @param limit for the wait, in nanoseconds
     * @param patience how long what was printed may take to be written, in nanoseconds
     * @return those that had not ended
     */
    synchronized List<ProcessOutput> stop(long limit, long patience) throws InterruptedException {
        long start = System.nanoTime();
        while (!open.isEmpty() && waitUntil(start + limit)) {}
        List<ProcessOutput> held = List.copyOf(open);
        stopping = true;
        selector.wakeup();
        long now = System.nanoTime();
        while (started && !stopped && waitUntil(now + patience)) {}
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
                    selector.select(this::read, openLines.timeout(System.nanoTime()));
                }
                showOpenLines();
            }
            finishAll();
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
            if (count > 0) {
                openLines.printed(output, System.nanoTime());
            }
            return count;
        } catch (IOException | RuntimeException e) {
            warnings.accept(output.name() + ": cannot read its output: " + e);
            return -1;
        }
    }

    /** Unless the rest of the line has come, while the others were read or the console was not. */
    private void showOpenLines() {
        for (ProcessOutput output : openLines.due(System.nanoTime())) {
            int count = transfer(output);
            if (count == 0 && openLines.isDue(output, System.nanoTime())) {
                output.showPartial();
                openLines.remove(output);
            } else if (count < 0) {
                // Its key goes with its channel.
                finish(output);
            }
        }
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
            warnings.accept(output.name() + ": cannot end its output: " + e);
        }
        openLines.remove(output);
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
