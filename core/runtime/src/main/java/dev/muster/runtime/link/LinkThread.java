package dev.muster.runtime.link;

import dev.muster.runtime.errors.ExitCode;
import dev.muster.runtime.threads.Daemon;
import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/** The link's thread: owns the party and all sockets. Whatever happens to it, the launcher is not left waiting. */
final class LinkThread implements Runnable {

    private static final long TO_CLOSE = TimeUnit.MILLISECONDS.toNanos(500);

    /** How long it may take until the first process is started; the link waits no longer for that. */
    private static final long FOR_THE_START = TimeUnit.MILLISECONDS.toNanos(150);

    /** Before somebody who cannot be sent anything is tried again. */
    private static final long BLOCKED = TimeUnit.MILLISECONDS.toNanos(20);

    private final LinkSettings settings;
    private final Party.Maker parties;
    private final EventQueue queue;
    private final LongSupplier clock;
    private final Consumer<String> say;
    private final Consumer<String> warn;
    private final UnlinkedLauncher alone;

    /** What the launcher must hear again if the link is given up. */
    private final List<Said> lasting = new ArrayList<>();

    /** Starts it; returns this launcher's end of the link. */
    static Link start(
            LinkSettings settings,
            Party.Maker parties,
            LongSupplier clock,
            Consumer<String> say,
            Consumer<String> warn) {
        EventQueue queue = new EventQueue(settings.launchers());
        Daemon.start("link", new LinkThread(settings, parties, queue, clock, say, warn));
        return queue;
    }

    private LinkThread(
            LinkSettings settings,
            Party.Maker parties,
            EventQueue queue,
            LongSupplier clock,
            Consumer<String> say,
            Consumer<String> warn) {
        this.settings = settings;
        this.parties = parties;
        this.queue = queue;
        this.clock = clock;
        this.say = say;
        this.warn = warn;
        this.alone = new UnlinkedLauncher(
                settings.launchers().leads(), settings.launchers().own());
    }

    @Override
    public void run() {
        try {
            letRanksStart();
            if (!isLinked()) {
                goUnlinkedLauncher();
            }
        } finally {
            queue.end();
        }
    }

    /**
     * Waits until the launcher has started something, or says something else that others must hear. Loading what the link needs
     * and proving who it is would otherwise take its share of the processors just when ranks are being started.
     */
    private void letRanksStart() {
        Thread thread = Thread.currentThread();
        queue.wakeBy(() -> LockSupport.unpark(thread));
        long end = clock.getAsLong() + FOR_THE_START;
        for (long left = FOR_THE_START; left > 0 && !queue.isUrgent(); left = end - clock.getAsLong()) {
            LockSupport.parkNanos(left);
        }
    }

    /** Returns when the link has been closed, true, or given up. */
    private boolean isLinked() {
        try (Selector selector = Selector.open()) {
            queue.wakeBy(selector::wakeup);
            BlockingCalls calls = new BlockingCalls(selector::wakeup);
            try {
                return isLinked(selector, calls);
            } finally {
                calls.close();
            }
        } catch (IOException | RuntimeException | Error e) {
            warn.accept(
                    "the link between the job's launchers broke down (" + e + "); this launcher goes on without it");
            if (settings.required()) {
                hear(alone.end(ended(e)));
            }
            return false;
        }
    }

    private boolean isLinked(Selector selector, BlockingCalls calls) throws IOException {
        long now = clock.getAsLong();
        KeySource keys = new KeySource(settings, calls, now);
        Party party = parties.make(settings, text -> digest(keys, text), now);
        LinkContext context = new LinkContext(settings, party, selector, calls, keys, warn);
        Side side = settings.launchers().leads() ? new LeaderSide(context, now) : new MemberSide(context, now);
        try {
            while (!queue.isClosing() && context.givenUp() == null) {
                long due = turn(party, side);
                select(selector, context.givenUp() == null ? due : clock.getAsLong());
            }
            String givenUp = context.givenUp();
            if (givenUp != null) {
                warn.accept(givenUp + "; this launcher goes on without the others");
                return false;
            }
            finish(selector, party, side);
            return true;
        } finally {
            side.close();
            context.names.close();
            queue.answer(party.report());
        }
    }

    private static String digest(KeySource keys, String text) {
        JobKey key = keys.key();
        if (key == null) {
            throw new IllegalStateException("nobody is connected before there is a key");
        }
        return key.digest(text);
    }

    /** Does everything that can be done now, and says when there is more. */
    private long turn(Party party, Side side) {
        long now = clock.getAsLong();
        for (Said word : queue.takeSaid()) {
            remember(word);
            party.say(word, now);
        }
        side.tick(now);
        party.look(now);
        publish(party);
        boolean isBlocked = send(party, side, now);
        publish(party);
        long due = Math.min(side.due(now), party.nextLook(now));
        return isBlocked ? Math.max(due, now + BLOCKED) : due;
    }

    /** Sends what there is to send; true: somebody does not read what he was sent before. */
    private static boolean send(Party party, Side side, long now) {
        boolean isBlocked = false;
        for (String name : party.toSend(now)) {
            Peer peer = side.peer(name);
            if (peer == null || peer.connection().isStuck()) {
                isBlocked = true;
            } else {
                peer.send(party.next(name, now), now);
            }
        }
        return isBlocked;
    }

    private void publish(Party party) {
        hear(party.heard());
        for (Line line : party.lines()) {
            (line.isWarning() ? warn : say).accept(line.text());
        }
        if (queue.isAsked()) {
            queue.answer(party.report());
        }
    }

    private void hear(List<Heard> heard) {
        heard.forEach(alone::heard);
        queue.hear(heard);
    }

    private void remember(Said word) {
        if (word instanceof Said.Over || word instanceof Said.Succeeded) {
            lasting.add(word);
        }
    }

    private void select(Selector selector, long until) throws IOException {
        long wait = until - clock.getAsLong();
        // The JDK does not look any more when its time has run out while this launcher stood still. What was said
        // meanwhile counts before anybody is taken for silent.
        if (wait <= 0 || selector.select(TimeUnit.NANOSECONDS.toMillis(wait) + 1) == 0) {
            selector.selectNow();
        }
        long now = clock.getAsLong();
        for (SelectionKey key : selector.selectedKeys()) {
            ((Selectable) key.attachment()).ready(now);
        }
        selector.selectedKeys().clear();
    }

    /** Sends what is left, and waits until the others have it and have closed their ends: nothing is lost on the way. */
    private void finish(Selector selector, Party party, Side side) throws IOException {
        long end = clock.getAsLong() + TO_CLOSE;
        turn(party, side);
        boolean isFinished = false;
        while (clock.getAsLong() - end < 0 && !side.peers().isEmpty()) {
            long due = Math.min(end, turn(party, side));
            long now = clock.getAsLong();
            Collection<Peer> peers = List.copyOf(side.peers());
            if (!isFinished
                    && peers.stream().noneMatch(peer -> peer.connection().isStuck())
                    && party.isAllSeen()) {
                isFinished = true;
                peers.forEach(peer -> peer.connection().finish(now));
            }
            select(selector, due);
        }
    }

    /** There is no link any more, or never was: the launcher hears what it must hear to end by itself. */
    private void goUnlinkedLauncher() {
        Thread thread = Thread.currentThread();
        queue.wakeBy(() -> LockSupport.unpark(thread));
        lasting.forEach(word -> queue.hear(alone.say(word)));
        while (!queue.isClosing()) {
            for (Said word : queue.takeSaid()) {
                queue.hear(alone.say(word));
            }
            queue.hear(List.of());
            queue.answer(LinkReport.NOTHING);
            LockSupport.park();
        }
    }

    private JobEnd ended(Throwable problem) {
        return JobEnd.of(
                JobEnd.Kind.REFUSED,
                settings.launchers().own(),
                Optional.empty(),
                ExitCode.INTERNAL.code(),
                "the link between the job's launchers broke down: " + problem);
    }
}
