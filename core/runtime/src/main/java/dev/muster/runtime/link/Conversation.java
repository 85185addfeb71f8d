package dev.muster.runtime.link;

import java.util.List;
import java.util.concurrent.TimeUnit;

/** What went to and fro between this launcher and one run of another; survives the connections that carry it. */
final class Conversation {

    static final long BEAT = TimeUnit.SECONDS.toNanos(1);
    /** Facts that nobody has confirmed for so long are sent again. */
    private static final long AGAIN = 2 * BEAT;
    /** Batches of a new connection that are answered at once, so that the clocks are soon known. */
    private static final int ANSWERED = 4;

    private final Journal journal = new Journal();
    private final Inbox inbox = new Inbox();
    private boolean isConnected;
    private int answers;
    private boolean mustSend;
    private long sentAt;
    private long confirmedAt;
    private long changedAt;
    private long heardAt;
    private long echoed;
    private long echoCameAt;
    private long answeredUpTo;

    Conversation(long now) {
        heardAt = now;
        changedAt = now;
    }

    void connected(long now) {
        isConnected = true;
        changedAt = now;
        heardAt = now;
        confirmedAt = now;
        answers = ANSWERED;
        mustSend = true;
        journal.again();
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

    /** When it was connected, or when the connection ended. */
    long changedAt() {
        return changedAt;
    }

    /** When anything came last. */
    long heardAt() {
        return heardAt;
    }

    /** The peer answered something that was sent at this time. */
    long answeredUpTo() {
        return answeredUpTo;
    }

    /** We have not been able to listen for so long. */
    void excuse(long pause, long now) {
        heardAt = Math.min(now, heardAt + pause);
        changedAt = Math.min(now, changedAt + pause);
    }

    void tell(Fact fact) {
        journal.add(fact);
    }

    /** The number of what the peer was told last. */
    long told() {
        return journal.last();
    }

    /** Whether the peer has what it was told with this number, and before. */
    boolean isSeen(long number) {
        return journal.isSeen(number);
    }

    /** Whether the peer has everything that it was told. */
    boolean isSeen() {
        return journal.isSeen();
    }

    /** Asks for an answer. */
    void ask() {
        mustSend = true;
    }

    /** The facts of a batch that are new, in their order. */
    List<Fact> receive(Batch batch, long now) {
        heardAt = now;
        if (journal.seen(batch.seen())) {
            confirmedAt = now;
        }
        if (batch.echoed() != 0) {
            answeredUpTo = Math.max(answeredUpTo, batch.echoed());
        }
        if (echoed == 0 || batch.sentAt() - echoed > 0) {
            echoed = batch.sentAt();
            echoCameAt = now;
        }
        if (answers > 0) {
            answers--;
            mustSend = true;
        }
        return news(batch);
    }

    private List<Fact> news(Batch batch) {
        List<Fact> facts = batch.facts();
        if (facts.isEmpty()) {
            return facts;
        }
        // Also where they are not new: the peer does not know that we have them.
        mustSend = true;
        return inbox.take(batch.first(), facts);
    }

    /** Whether something should be sent before the next beat. */
    boolean mustSend() {
        return isConnected && (mustSend || journal.hasNext());
    }

    /** When the next batch is due although there is nothing new. */
    long nextBeat() {
        return sentAt + BEAT;
    }

    Batch next(long now) {
        mustSend = false;
        sentAt = now;
        if (!journal.awaitsSight()) {
            confirmedAt = now;
        } else if (now - confirmedAt >= AGAIN) {
            confirmedAt = now;
            journal.again();
        }
        long first = journal.nextNumber();
        return new Batch(first, journal.next(), inbox.received(), now, echoed, echoed == 0 ? 0 : now - echoCameAt);
    }
}
