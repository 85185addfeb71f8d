package dev.muster.runtime.process;

import dev.muster.runtime.threads.Daemon;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Tells when processes have ended, without a thread that is only made then, as the JDK would do it: there may be no room for
 * one. For some processes a thread of their own waits from their start on. One thread for all others, made before there is any
 * process, looks at them every few milliseconds; a look costs no system call.
 */
final class ExitWatch implements AutoCloseable {

    /** More than a node has cards. */
    static final int MOST_WAITING = 32;

    private static final Duration PAUSE = Duration.ofMillis(5);

    private final List<Watched> lookedAt = new ArrayList<>();
    private int waiting;
    private boolean closed;

    private record Watched(Process process, Consumer<Process> ended) {

        void end() {
            ended.accept(process);
        }
    }

    /** Makes the thread that looks. */
    ExitWatch() {
        Daemon.start("exits", this::look);
    }

    /** @param ended called once, on another thread; must neither block nor throw */
    synchronized void on(Process process, Consumer<Process> ended) {
        Watched watched = new Watched(process, ended);
        if (waiting >= MOST_WAITING || !waitFor(watched)) {
            lookedAt.add(watched);
            notifyAll();
        }
    }

    private boolean waitFor(Watched watched) {
        try {
            Daemon.start("exit", () -> await(watched));
            waiting++;
            return true;
        } catch (OutOfMemoryError noRoom) {
            return false;
        }
    }

    private void await(Watched watched) {
        while (watched.process().isAlive()) {
            try {
                watched.process().waitFor();
            } catch (InterruptedException ofNoMeaning) {
                // Only a plugin could have done that: the launcher interrupts no thread.
            }
        }
        watched.end();
        synchronized (this) {
            waiting--;
        }
    }

    /** There is nothing more to watch: the thread goes when all have ended that it looks at. */
    @Override
    public synchronized void close() {
        closed = true;
        notifyAll();
    }

    private void look() {
        boolean isOver = false;
        while (!isOver) {
            try {
                isOver = !awaitWork();
                awaitNextLook().forEach(Watched::end);
            } catch (InterruptedException ofNoMeaning) {
                // As above.
            }
        }
    }

    private synchronized boolean awaitWork() throws InterruptedException {
        while (lookedAt.isEmpty() && !closed) {
            wait();
        }
        return !lookedAt.isEmpty();
    }

    /** Those that have ended since the last look, when the time for the next has come. */
    @SuppressWarnings("WaitNotInLoop") // Its callers loop.
    private synchronized List<Watched> awaitNextLook() throws InterruptedException {
        TimeUnit.NANOSECONDS.timedWait(this, PAUSE.toNanos());
        List<Watched> ended = new ArrayList<>();
        for (Iterator<Watched> all = lookedAt.iterator(); all.hasNext(); ) {
            Watched watched = all.next();
            if (!watched.process().isAlive()) {
                ended.add(watched);
                all.remove();
            }
        }
        return ended;
    }
}
