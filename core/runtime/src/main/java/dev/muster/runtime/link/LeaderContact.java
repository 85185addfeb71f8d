package dev.muster.runtime.link;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** A member's talk with its leader: with one run of it once the run of the job has begun, before that with whichever leads. */
final class LeaderContact {

    private final LinkSettings settings;
    private final String leader;
    private Channel channel;
    private Optional<LinkRun> run = Optional.empty();
    /** What was said before the run begins: until then another leader may come. */
    private List<LocalEvent> early = new ArrayList<>();

    private boolean wasConnected;
    private boolean isTakenIn;
    private boolean hasBegun;
    private long metAt;

    LeaderContact(LinkSettings settings, long now) {
        this.settings = settings;
        this.leader = settings.launchers().leader();
        hasBegun = !settings.run().gathers();
        metAt = now;
        channel = new Channel(now);
    }

    /** Why it does not take up with this run of its leader; empty: it does. */
    Optional<String> refuses(LinkRun there) {
        LinkRun own = settings.run();
        if (hasBegun) {
            return run.filter(known -> !known.equals(there)).map(known -> other(known, there));
        }
        boolean isBehind = there.launcher().equals(own.before().get(leader)) && there.number() < own.number();
        return isBehind ? Optional.of("it has not ended the run before yet") : Optional.empty();
    }

    private static String other(LinkRun known, LinkRun there) {
        return known.launcher().equals(there.launcher())
                ? "it has taken this node for lost, and the job has gone on to its run " + there.number()
                : JobEnd.STARTED_AGAIN;
    }

    /** A run of the leader is connected; it hears first what others did not. */
    void connected(LinkRun newRun, long now) {
        wasConnected = true;
        if (run.filter(known -> !known.equals(newRun)).isPresent()) {
            channel = new Channel(now);
            early.forEach(said -> channel.tell(Messages.write(said)));
        }
        run = Optional.of(newRun);
        channel.connected(now);
    }

    /** To the run of the leader that is met. */
    Channel channel() {
        return channel;
    }

    /** Tells the leader, as soon as there is one; and every other that comes before the run begins. */
    void tell(LocalEvent said) {
        channel.tell(Messages.write(said));
        if (!hasBegun && !(said instanceof LocalEvent.OfQuestion)) {
            early.add(said);
        }
    }

    /** What came; new messages only, in their order. */
    List<Map<String, Object>> receive(Channel.Batch batch, long now) {
        isTakenIn = true;
        metAt = now;
        return channel.receive(batch, now);
    }

    /** The run has begun: no other leader comes. */
    LinkEvent.Begin begin(LeaderMessage.Start start) {
        hasBegun = true;
        early = List.of();
        String leading = run.orElseThrow().launcher();
        return new LinkEvent.Begin(start.number(), Map.of(leader, leading), Set.of());
    }

    /** Whether the run has begun: until then it does not matter who leads, nor whether he is lost. */
    boolean hasBegun() {
        return hasBegun;
    }

    /** Whether the leader was ever connected. */
    boolean wasConnected() {
        return wasConnected;
    }

    /** Whether the leader has ever said something: it may turn away whom it has let in at its port only. */
    boolean isTakenIn() {
        return isTakenIn;
    }

    /** This launcher has not been able to listen for so long. */
    void excuse(long pause, long now) {
        channel.excuse(pause, now);
        metAt = Math.min(now, metAt + pause);
    }

    /** Whether it has waited long enough for a leader that takes it in, and begins the run. */
    boolean isOutOfPatience(long now) {
        return !(hasBegun && isTakenIn) && now - metAt >= settings.patience().toNanos();
    }

    /** When the leader is to be sent something. */
    long nextDue(long now) {
        if (!channel.isConnected()) {
            return now + Connections.FAR;
        }
        return channel.mustSend() ? now : channel.nextBeat();
    }
}
