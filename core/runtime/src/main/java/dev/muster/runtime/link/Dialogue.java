package dev.muster.runtime.link;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.UnaryOperator;

/** What a member and its leader say to each other, over all runs of the leader that the member takes up with. */
final class Dialogue {

    private final String leader;
    private final Membership membership;
    private final OwnPart part;
    private final UnaryOperator<String> digest;
    private final Outbox outbox = new Outbox();
    private Conversation talk;
    /** What was said before the leader was ever reached, when the key need not be known; or before the run begins. */
    private List<Said> early = new ArrayList<>();

    private boolean wasConnected;
    private boolean isTakenIn;

    /** @param digest called once the leader is connected, when the key is known */
    Dialogue(String leader, Membership membership, OwnPart part, UnaryOperator<String> digest, long now) {
        this.leader = leader;
        this.membership = membership;
        this.part = part;
        this.digest = digest;
        talk = new Conversation(now);
    }

    /** Whether the leader was ever connected. */
    boolean wasConnected() {
        return wasConnected;
    }

    /** Whether the leader has ever said something: it may turn away whom it has let in at its door only. */
    boolean isTakenIn() {
        return isTakenIn;
    }

    /** A run of the leader is connected; it hears first what others did not. */
    void connected(String run, long now) {
        wasConnected = true;
        if (membership.take(run)) {
            talk = new Conversation(now);
            List<Said> before = early;
            early = new ArrayList<>();
            before.forEach(this::tell);
        }
        talk.connected(now);
        outbox.connected(leader, talk);
    }

    void disconnected(long now) {
        talk.disconnected(now);
        outbox.disconnected(leader);
    }

    boolean isConnected() {
        return talk.isConnected();
    }

    /** Tells the leader, as soon as there is one; and every other that comes before the run begins. */
    void tell(Said said) {
        if (wasConnected) {
            ToldFacts.write(said, digest).forEach(talk::tell);
            part.told(said, talk.told());
            outbox.touch(leader, talk);
        }
        if (!wasConnected || !membership.hasBegun()) {
            early.add(said);
        }
    }

    /** Tells the leader what it has asked for. */
    void answer(Fact fact) {
        talk.tell(fact);
        outbox.touch(leader, talk);
    }

    /** The run has begun: no other leader comes. */
    void settle() {
        early = List.of();
    }

    /** The facts of a batch that are new, in their order. */
    List<Fact> receive(Batch batch, long now) {
        isTakenIn = true;
        List<Fact> facts = talk.receive(batch, now);
        outbox.touch(leader, talk);
        return facts;
    }

    /** When the leader was connected, or when the connection ended. */
    long changedAt() {
        return talk.changedAt();
    }

    /** When anything came last. */
    long heardAt() {
        return talk.heardAt();
    }

    /** This launcher has not been able to listen for so long. */
    void excuse(long pause, long now) {
        talk.excuse(pause, now);
    }

    /** Whether the leader has everything that it was told; one that is not connected is told nothing. */
    boolean isAllSeen() {
        return !talk.isConnected() || talk.isSeen();
    }

    /** Whether the leader has heard how this part ended. */
    boolean isEndSeen() {
        return wasConnected && talk.isSeen(part.overNumber());
    }

    /** The leader where something is to be sent to it, else nobody. */
    Set<String> due(long now) {
        return outbox.due(now);
    }

    Batch next(long now) {
        Batch batch = talk.next(now);
        outbox.sent(leader, talk);
        return batch;
    }

    /** When {@link #due} has something. */
    OptionalLong nextDue(long now) {
        return outbox.next(now);
    }
}
