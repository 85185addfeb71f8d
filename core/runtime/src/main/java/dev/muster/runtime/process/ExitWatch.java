package dev.muster.runtime.process;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Tells when processes have ended. One thread, made before there is any process, looks at all of them every few milliseconds:
 * the JDK would make a thread for each end, which fails when no more can be made. A look costs no system call.
 */
final class ExitWatch {

    private static final Duration PAUSE = Duration.ofMillis(4);
    /** With every so many processes a look takes longer, and so does the pause. */
    private static final int MANY = 200;

    private final List<Watched> running = new ArrayList<>();

    private record Watched(Process process, Consumer<Process> ended) {}

    /** Makes the thread. */
    ExitWatch() {
        Thread thread = new Thread(this::look, "exits");
        thread.setDaemon(true);
        thread.start();
    }

    /** @param ended called once, on the thread of this watch; must neither block nor throw */
    synchronized void on(Process process, Consumer<Process> ended) {
        running.add(new Watched(process, ended));
        if (running.size() == 1) {
            notifyAll();
        }
    }

    private void look() {
        try {
            while (true) {
                awaitNextLook().forEach(watched -> watched.ended().accept(watched.process()));
            }
        } catch (InterruptedException nobodyInterrupts) {
            Thread.currentThread().interrupt();
        }
    }

    /** Those that have ended since the last look, when the time for the next has come. */
    @SuppressWarnings("WaitNotInLoop") // Its callers loop.
    private synchronized List<Watched> awaitNextLook() throws InterruptedException {
        while (running.isEmpty()) {
            wait();
        }
        TimeUnit.NANOSECONDS.timedWait(this, PAUSE.toNanos() * (1 + running.size() / MANY));
        return takeEnded();
    }

    private List<Watched> takeEnded() {
        List<Watched> ended = new ArrayList<>();
        for (Iterator<Watched> all = running.iterator(); all.hasNext(); ) {
            Watched watched = all.next();
            if (!watched.process().isAlive()) {
                ended.add(watched);
                all.remove();
            }
        }
        return ended;
    }
}
