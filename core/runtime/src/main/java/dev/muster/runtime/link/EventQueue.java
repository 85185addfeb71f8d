package dev.muster.runtime.link;

import dev.muster.spi.LauncherNodes;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Stands between the link's thread and all others. */
final class EventQueue implements Link {

    /** Sending what is left takes half a second at most. */
    private static final long CLOSING_MILLIS = 700;

    private static final long REPORT_MILLIS = 500;

    private final LauncherNodes launchers;
    private final Queue<Said> said = new ConcurrentLinkedQueue<>();
    private final Queue<CompletableFuture<LinkReport>> questions = new ConcurrentLinkedQueue<>();
    private final Queue<Heard> unheard = new ArrayDeque<>();
    private final CountDownLatch ended = new CountDownLatch(1);
    private volatile @Nullable Consumer<Heard> listener;
    private volatile Runnable waker = () -> {};
    private volatile LinkReport lastReport = LinkReport.NOTHING;
    private volatile boolean isClosing;

    EventQueue(LauncherNodes launchers) {
        this.launchers = launchers;
    }

    @Override
    public void say(Said word) {
        said.add(word);
        waker.run();
    }

    @Override
    public void listen(Consumer<Heard> next) {
        listener = next;
        waker.run();
    }

    @Override
    public boolean isUsed() {
        return true;
    }

    @Override
    public boolean leads() {
        return launchers.leads();
    }

    @Override
    public Optional<String> own() {
        return Optional.of(launchers.own());
    }

    @Override
    public LinkReport report() {
        CompletableFuture<LinkReport> answer = new CompletableFuture<>();
        questions.add(answer);
        waker.run();
        try {
            return ended.getCount() == 0 ? lastReport : answer.get(REPORT_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            // The thread has just ended, or has other things to do.
        }
        return lastReport;
    }

    @Override
    public void close() {
        isClosing = true;
        waker.run();
        try {
            if (!ended.await(CLOSING_MILLIS, TimeUnit.MILLISECONDS)) {
                // The thread is a daemon and holds nothing up; whoever closes does not wait for it any longer.
                return;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    // What follows is for the link's thread only.

    /** @param next wakes the thread from any other */
    void wakeBy(Runnable next) {
        waker = next;
        next.run();
    }

    boolean isClosing() {
        return isClosing;
    }

    /** Whether anything waits that is more than a plan which needs nobody else's processes. */
    boolean isUrgent() {
        return isClosing || isAsked() || !said.stream().allMatch(EventQueue::canWait);
    }

    private static boolean canWait(Said word) {
        return word instanceof Said.Planned planned && planned.watched().isEmpty();
    }

    /** What has been said since the last call. */
    List<Said> takeSaid() {
        List<Said> taken = new ArrayList<>();
        for (Said next = said.poll(); next != null; next = said.poll()) {
            taken.add(next);
        }
        return taken;
    }

    /** Hands on what the launcher must hear, and what nobody has listened to yet. */
    void hear(List<Heard> heard) {
        unheard.addAll(heard);
        Consumer<Heard> current = listener;
        while (current != null && !unheard.isEmpty()) {
            current.accept(unheard.remove());
        }
    }

    boolean isAsked() {
        return !questions.isEmpty();
    }

    void answer(LinkReport report) {
        lastReport = report;
        for (CompletableFuture<LinkReport> next = questions.poll(); next != null; next = questions.poll()) {
            next.complete(report);
        }
    }

    /** The thread has nothing more to do. */
    void end() {
        ended.countDown();
        answer(lastReport);
    }
}
