package dev.muster.runtime.link;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A party that records all events of its connections, and sends each peer what the test wants. It sends nothing twice, so that
 * the test notices lost messages.
 */
final class ScriptedParty implements Party {

    private static final int LIMIT_SECONDS = 60;

    final BlockingQueue<String> events = new LinkedBlockingQueue<>();
    final BlockingQueue<JobEnd> ends = new LinkedBlockingQueue<>();
    volatile Optional<Rejection> rejection = Optional.empty();
    volatile long beatNanos = TimeUnit.SECONDS.toNanos(1);
    volatile @Nullable RuntimeException fault;

    private final Queue<LinkEvent> heard = new ArrayDeque<>();
    private final Map<String, List<Map<String, Object>>> outgoing = new HashMap<>();
    private final Map<String, Long> beats = new HashMap<>();
    private final Set<String> connected = new HashSet<>();
    private long sent;

    /** The next event that matches, within 60 s. Drops the events before it. */
    String await(Predicate<String> wanted) throws InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_SECONDS);
        List<String> others = new ArrayList<>();
        while (true) {
            String next = events.poll(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
            if (next == null) {
                throw new AssertionError("waited " + LIMIT_SECONDS + " s in vain, and saw " + others);
            }
            if (wanted.test(next)) {
                return next;
            }
            others.add(next);
        }
    }

    String await(String prefix) throws InterruptedException {
        return await((String event) -> event.startsWith(prefix));
    }

    /** The next event with this prefix, if it comes within so many milliseconds. */
    Optional<String> seen(String prefix, long millis) throws InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        String next = events.poll(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
        while (next != null && !next.startsWith(prefix)) {
            next = events.poll(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
        }
        return Optional.ofNullable(next);
    }

    /** Sends the text of an {@code Awaiting} event to all connected peers. */
    @Override
    public void onLocalEvent(LocalEvent said, long now) {
        if (said instanceof LocalEvent.Awaiting awaiting) {
            connected.forEach(
                    peer -> outgoing(peer).add(Map.of("text", awaiting.what().orElse(""))));
        } else {
            events.add("said " + said);
            heard.add(new LinkEvent.MayLeave());
        }
    }

    @Override
    public Optional<Rejection> admit(String peer, String run, Optional<String> host, long now) {
        events.add("admit " + peer + " from " + host.orElse(""));
        return rejection;
    }

    @Override
    public void onConnected(String peer, String run, long now) {
        connected.add(peer);
        outgoing.put(peer, new ArrayList<>());
        beats.put(peer, now);
        events.add("connected " + peer + " " + run);
    }

    @Override
    public void onDisconnected(String peer, String why, Disconnection how, long now) {
        connected.remove(peer);
        events.add("disconnected " + peer + ": " + why + (how == Disconnection.NOBODY ? " (absent)" : ""));
    }

    @Override
    public void endJob(JobEnd end, long now) {
        ends.add(end);
        events.add("ended " + end.exitCode() + ": " + end.reason());
        heard.add(new LinkEvent.Stop(end));
    }

    @Override
    public void onReceived(String peer, Channel.Batch batch, long now) {
        for (Map<String, Object> fact : batch.facts()) {
            events.add("received " + peer + ": " + fact.get("text"));
        }
        if (batch.facts().isEmpty()) {
            events.add("beat of " + peer);
        }
    }

    @Override
    public Set<String> toSend(long now) {
        Set<String> due = new HashSet<>();
        for (String peer : connected) {
            if (!outgoing(peer).isEmpty() || now - beats.getOrDefault(peer, now) >= 0) {
                due.add(peer);
            }
        }
        return due;
    }

    @Override
    public Channel.Batch next(String peer, long now) {
        List<Map<String, Object>> facts = List.copyOf(outgoing(peer));
        outgoing(peer).clear();
        beats.put(peer, now + beatNanos);
        sent += facts.size();
        return new Channel.Batch(sent - facts.size() + 1, facts, 0);
    }

    private List<Map<String, Object>> outgoing(String peer) {
        return Objects.requireNonNull(outgoing.get(peer));
    }

    @Override
    public boolean isAllConfirmed() {
        return true;
    }

    @Override
    public void check(long now) {
        RuntimeException thrown = fault;
        if (thrown != null) {
            throw thrown;
        }
    }

    @Override
    public long nextCheck(long now) {
        return beats.values().stream().mapToLong(Long::longValue).min().orElse(now + beatNanos);
    }

    @Override
    public List<LinkEvent> drainEvents() {
        List<LinkEvent> all = List.copyOf(heard);
        heard.clear();
        return all;
    }

    @Override
    public LinkReport report() {
        return new LinkReport(List.of(new LinkReport.NodeEnd(
                "node-0", Optional.empty(), "left", OptionalInt.of(0), Optional.empty(), List.of())));
    }
}
