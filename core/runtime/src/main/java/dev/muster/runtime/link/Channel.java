package dev.muster.runtime.link;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/**
 * The messages between this launcher and one run of another. The channel survives its connections: each side keeps its messages until the
 * other side confirms them, and sends them again on a new connection.
 */
final class Channel {

    static final long BEAT = TimeUnit.SECONDS.toNanos(1);

    /** The most messages in one line. */
    private static final int TOGETHER = 20;

    /**
     * The content of one line after the handshake. A batch without messages is a beat.
     *
     * @param first the number of the first message; each side numbers its own from 1
     * @param facts the messages, in order
     * @param seen the number up to which all messages of the other side have arrived
     */
    record Batch(long first, List<Map<String, Object>> facts, long seen) {

        Batch {
            facts = List.copyOf(Objects.requireNonNullElse(facts, List.of()));
        }
    }

    private final List<Map<String, Object>> unseen = new ArrayList<>();
    private long seen;
    private long sent;
    private long received;
    private boolean isConnected;
    private boolean mustSend;
    private long sentAt;
    private long changedAt;
    private long heardAt;

    Channel(long now) {
        heardAt = now;
        changedAt = now;
    }

    void connected(long now) {
        isConnected = true;
        changedAt = now;
        heardAt = now;
        mustSend = true;
        sent = seen;
    }

    void disconnected(long now) {
        if (isConnected) {
            changedAt = now;
        }
        isConnected = false;
    }

    boolean isConnected() {
        return isConnected;
    }

    /** When the connection was made or ended last. */
    long changedAt() {
        return changedAt;
    }

    /** When the last batch arrived. */
    long heardAt() {
        return heardAt;
    }

    /** This launcher was suspended for this long, so the other side's silence does not count. */
    void skipPause(long pause, long now) {
        heardAt = Math.min(now, heardAt + pause);
        changedAt = Math.min(now, changedAt + pause);
    }

    void add(Map<String, Object> message) {
        unseen.add(message);
    }

    /** The number of the last message to the peer. */
    private long told() {
        return seen + unseen.size();
    }

    /** Whether the peer has confirmed all messages, or is not connected. */
    boolean isConfirmed() {
        return !isConnected || unseen.isEmpty();
    }

    /** The new messages of a batch, in order. */
    List<Map<String, Object>> receive(Batch batch, long now) {
        heardAt = now;
        int confirmed = (int) Math.min(unseen.size(), batch.seen() - seen);
        if (confirmed > 0) {
            unseen.subList(0, confirmed).clear();
            seen += confirmed;
            sent = Math.max(sent, seen);
        }
        mustSend |= !batch.facts().isEmpty();
        long known = received + 1 - batch.first();
        if (known < 0 || known >= batch.facts().size()) {
            return List.of();
        }
        received = batch.first() + batch.facts().size() - 1;
        return batch.facts().subList((int) known, batch.facts().size());
    }

    /** Whether a batch is due before the next beat. */
    boolean mustSend() {
        return isConnected && (mustSend || sent < told());
    }

    /** When the next beat is due. */
    long nextBeat() {
        return sentAt + BEAT;
    }

    Batch next(long now) {
        mustSend = false;
        sentAt = now;
        long first = sent + 1;
        sent = Math.min(told(), sent + TOGETHER);
        return new Batch(first, unseen.subList((int) (first - 1 - seen), (int) (sent - seen)), received);
    }
}
