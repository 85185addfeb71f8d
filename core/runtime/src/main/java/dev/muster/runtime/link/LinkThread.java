package dev.muster.runtime.link;

import dev.muster.runtime.errors.ExitCode;
import dev.muster.runtime.threads.Daemon;
import dev.muster.spi.LauncherNodes;
import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** The link's thread: owns the party and all sockets. If it fails, the launcher gets events that end its waits. */
final class LinkThread implements Link, Runnable {

    private static final long TO_CLOSE = TimeUnit.MILLISECONDS.toNanos(500);
    /** How long close waits: the thread sends pending messages for half a second at most. */
    private static final long CLOSING_MILLIS = 700;
    /** The pause before another try if a peer does not read. */
    private static final long BLOCKED = TimeUnit.MILLISECONDS.toNanos(20);

    private final LinkSettings settings;
    private final LongSupplier clock;
    private final LinkLog log;
    /** Guarded by this object's lock. */
    private final Party party;

    private final Queue<LocalEvent> said = new ConcurrentLinkedQueue<>();
    private final Queue<LinkEvent> undelivered = new ArrayDeque<>();
    private final CountDownLatch ended = new CountDownLatch(1);
    private @Nullable Consumer<LinkEvent> listener;
    private volatile Runnable waker = () -> {};
    private volatile boolean isClosing;
    private boolean isDecided;
    /** All input that arrived by this time has been read. */
    private long readAt;

    private LinkThread(LinkSettings settings, Party.Maker parties, LongSupplier clock, LinkLog log) {
        this.settings = settings;
        this.clock = clock;
        this.log = log;
        readAt = clock.getAsLong();
        party = parties.make(settings, log, readAt);
    }

    /** Starts the thread; returns this launcher's end of the link. */
    static Link start(LinkSettings settings, Party.Maker parties, LongSupplier clock, LinkLog log) {
        LinkThread thread = new LinkThread(settings, parties, clock, log);
        Daemon.start("link", thread);
        return thread;
    }

    @Override
    public void send(LocalEvent word) {
        said.add(word);
        waker.run();
    }

    @Override
    public synchronized void listen(Consumer<LinkEvent> next) {
        listener = next;
        deliver(List.of());
    }

    @Override
    public Optional<LauncherNodes> launchers() {
        return Optional.of(settings.launchers());
    }

    @Override
    public synchronized LinkReport report() {
        takeEvents();
        return party.report();
    }

    @Override
    public void close() {
        isClosing = true;
        waker.run();
        try {
            // The thread is a daemon and keeps no JVM alive, so the caller need not wait longer.
            boolean unused = ended.await(CLOSING_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void run() {
        try (Selector selector = Selector.open()) {
            waker = selector::wakeup;
            serve(selector);
        } catch (IOException | RuntimeException | Error e) {
            onFailure(e);
        } finally {
            ended.countDown();
        }
    }

    private void onFailure(Throwable problem) {
        JobEnd end = settings.refusal(ExitCode.INTERNAL, "the link between the job's launchers broke down: " + problem);
        deliver(isDecided ? List.of() : List.of(new LinkEvent.Stop(end), new LinkEvent.Decided(end)));
        deliver(List.of(new LinkEvent.MayLeave()));
    }

    private void serve(Selector selector) throws IOException {
        long now = clock.getAsLong();
        LinkContext context = new LinkContext(settings, party, selector, now, log);
        Connections side = leads() ? new LeaderConnections(context, now) : new MemberConnection(context, now);
        try {
            while (!isClosing) {
                select(selector, runDue(side));
            }
            finish(selector, side);
        } finally {
            side.close();
            context.close();
        }
    }

    /** Does all that is due; returns when more is due. */
    private synchronized long runDue(Connections side) {
        takeEvents();
        // If this launcher was suspended, pending input must be read before a silent peer counts as lost.
        long now = readAt;
        side.tick(now);
        party.check(now);
        deliver(party.drainEvents());
        boolean isBlocked = send(side, now);
        deliver(party.drainEvents());
        long due = Math.min(side.due(now), party.nextCheck(now));
        return isBlocked ? Math.max(due, now + BLOCKED) : due;
    }

    private void takeEvents() {
        for (LocalEvent word = said.poll(); word != null; word = said.poll()) {
            party.onLocalEvent(word, clock.getAsLong());
        }
    }

    /** Sends all batches that are due; true: a peer does not read. */
    private boolean send(Connections side, long now) {
        boolean isBlocked = false;
        for (String name : party.toSend(now)) {
            Peer peer = side.peers().get(name);
            if (peer == null || peer.connection().isStuck()) {
                isBlocked = true;
            } else {
                peer.send(party.next(name, now), now);
            }
        }
        return isBlocked;
    }

    /** Passes new and kept events to the listener, if there is one. */
    private synchronized void deliver(List<LinkEvent> heard) {
        isDecided |= heard.stream().anyMatch(LinkEvent.Decided.class::isInstance);
        undelivered.addAll(heard);
        Consumer<LinkEvent> current = listener;
        while (current != null && !undelivered.isEmpty()) {
            current.accept(undelivered.remove());
        }
    }

    private void select(Selector selector, long until) throws IOException {
        long wait = until - clock.getAsLong();
        if (wait > 0) {
            selector.select(TimeUnit.NANOSECONDS.toMillis(wait) + 1);
        }
        synchronized (this) {
            long now = clock.getAsLong();
            selector.selectNow();
            for (SelectionKey key : selector.selectedKeys()) {
                ((LongConsumer) key.attachment()).accept(now);
            }
            readAt = now;
        }
        selector.selectedKeys().clear();
    }

    /** Sends pending messages, and waits until the peers have confirmed them and closed their ends. */
    private void finish(Selector selector, Connections side) throws IOException {
        long end = clock.getAsLong() + TO_CLOSE;
        runDue(side);
        boolean isFinished = false;
        while (clock.getAsLong() - end < 0 && !side.peers().isEmpty()) {
            long due = Math.min(end, runDue(side));
            long now = clock.getAsLong();
            List<Peer> peers = List.copyOf(side.peers().values());
            if (!isFinished
                    && peers.stream().noneMatch(peer -> peer.connection().isStuck())
                    && party.isAllConfirmed()) {
                isFinished = true;
                peers.forEach(peer -> peer.connection().finish(now));
            }
            select(selector, due);
        }
    }
}
