package dev.muster.runtime.link;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** A member's messages to and from its leader. Before the attempt the leader may be replaced. After the attempt began it may not. */
final class LeaderContact {

    private final LinkSettings settings;
    private final String leader;
    private Channel channel;
    private Optional<LinkRun> run = Optional.empty();
    /** Messages from before the attempt. A new leader gets them again. */
    private List<LocalEvent> early = new ArrayList<>();

    private boolean wasConnected;
    private boolean isAccepted;
    private boolean hasBegun;
    private long metAt;

    LeaderContact(LinkSettings settings, long now) {
        this.settings = settings;
        this.leader = settings.launchers().leader();
        hasBegun = !settings.run().hasBarrier();
        metAt = now;
        channel = new Channel(now);
    }

    /** Why the member rejects this run of the leader; empty: it accepts it. */
    Optional<String> refusal(LinkRun there) {
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

    /** A leader is connected. A new one first gets the messages that earlier ones got. */
    void onConnected(LinkRun newRun, long now) {
        wasConnected = true;
        if (run.filter(known -> !known.equals(newRun)).isPresent()) {
            channel = new Channel(now);
            early.forEach(said -> channel.add(Messages.write(said)));
        }
        run = Optional.of(newRun);
        channel.connected(now);
    }

    /** The channel to the current leader. */
    Channel channel() {
        return channel;
    }

    /** Sends a message to the leader, now or when it connects. Before the attempt, each later leader gets it too. */
    void send(LocalEvent said) {
        channel.add(Messages.write(said));
        if (!hasBegun && !(said instanceof LocalEvent.OfQuestion)) {
            early.add(said);
        }
    }

    /** The new messages of a batch, in order. */
    List<Map<String, Object>> receive(Channel.Batch batch, long now) {
        isAccepted = true;
        metAt = now;
        return channel.receive(batch, now);
    }

    /** The attempt has begun: no other leader is accepted from now on. */
    LinkEvent.Begin begin(LeaderMessage.Start start) {
        hasBegun = true;
        early = List.of();
        String leading = run.orElseThrow().launcher();
        return new LinkEvent.Begin(start.number(), Map.of(leader, leading), Set.of());
    }

    /** Whether the attempt has begun. Until then the leader may change or be lost. */
    boolean hasBegun() {
        return hasBegun;
    }

    /** Whether the leader was ever connected. */
    boolean wasConnected() {
        return wasConnected;
    }

    /** Whether the leader has ever sent a batch. Before that, it may still reject a connected member. */
    boolean isAccepted() {
        return isAccepted;
    }

    /** This launcher was suspended for this long, so the leader's silence does not count. */
    void skipPause(long pause, long now) {
        channel.skipPause(pause, now);
        metAt = Math.min(now, metAt + pause);
    }

    /** Whether it has waited too long for a leader that accepts it and begins the attempt. */
    boolean isTimedOut(long now) {
        return !(hasBegun && isAccepted) && now - metAt >= settings.patience().toNanos();
    }

    /** When a batch to the leader is due. */
    long nextDue(long now) {
        if (!channel.isConnected()) {
            return now + Connections.FAR;
        }
        return channel.mustSend() ? now : channel.nextBeat();
    }
}
