package dev.muster.runtime.link;

import dev.muster.runtime.text.Durations;
import dev.muster.spi.Host;
import dev.muster.spi.LauncherNodes;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** A member's side of the link: it talks to its leader only, and obeys no other launcher. */
final class Member implements Party {

    private static final long PAUSE = TimeUnit.MILLISECONDS.toNanos(250);

    private final LinkSettings settings;
    private final long openedAt;
    private final String leader;
    private final Optional<String> host;
    private final LinkEventQueue events = new LinkEventQueue();
    private final LinkLog log;
    private final LeaderContact contact;
    private final LeaderReachability reachability;
    private boolean follows;
    private boolean hasSucceeded;
    /** When this part ended without success, and when that was reported. */
    private long overAt;

    private long overSaidAt;
    private boolean hasLeaderLeft;
    private boolean hasEnded;
    private long checkedAt;

    Member(LinkSettings settings, LinkLog log, long now) {
        this.log = log;
        this.settings = settings;
        openedAt = now;
        checkedAt = now;
        LauncherNodes.Peer leading = settings.launchers().leading();
        leader = leading.name();
        host = leading.host().map(Host::name);
        contact = new LeaderContact(settings, now);
        reachability = new LeaderReachability(settings, JobEnd.where(leader, host), log, now);
    }

    @Override
    public void onLocalEvent(LocalEvent said, long now) {
        if (said instanceof LocalEvent.Planned planned) {
            follows = planned.follows();
        } else if (said instanceof LocalEvent.Over over) {
            overAt = over.nanoTime();
            overSaidAt = now;
            events.setOwnCause(over.end());
        } else if (said instanceof LocalEvent.Succeeded) {
            hasSucceeded = true;
        }
        contact.send(said);
        checkEnd(now);
    }

    @Override
    public Optional<Rejection> admit(String peer, String run, Optional<String> from, long now) {
        LinkRun there = LinkRun.read(run);
        Optional<String> why = contact.refusal(there);
        if (why.isEmpty()) {
            return Optional.empty();
        }
        if (contact.hasBegun()) {
            lose(why.get(), now);
        }
        return Optional.of(Rejection.forNow(why.get()));
    }

    @Override
    public void onConnected(String peer, String run, long now) {
        if (contact.refusal(LinkRun.read(run)).isEmpty()) {
            reachability.onConnected();
            contact.onConnected(LinkRun.read(run), now);
            if (contact.hasBegun()) {
                reachability.onReached();
            }
        }
    }

    @Override
    public void onDisconnected(String peer, String why, Disconnection how, long now) {
        reachability.onDisconnected(why, how, now);
        contact.channel().disconnected(now);
        loseIfGone(reachability.isGone(now), now);
    }

    @Override
    public void onReceived(String peer, Channel.Batch batch, long now) {
        reachability.onReached();
        for (Map<String, Object> message : contact.receive(batch, now)) {
            Messages.read(message, LinkEvent.class).ifPresent(events::add);
            Messages.read(message, LeaderMessage.class).ifPresent(order -> handle(order, now));
        }
    }

    private void handle(LeaderMessage order, long now) {
        if (order instanceof LeaderMessage.Start start) {
            events.add(contact.begin(start));
        } else if (order instanceof LeaderMessage.Waiting waiting) {
            ArrivalReporter.reportWaiting(waiting, settings.launchers().own(), log);
        } else if (order instanceof LeaderMessage.Goodbye) {
            // Before the attempt another leader may come.
            hasLeaderLeft = contact.hasBegun();
            checkEnd(now);
        }
    }

    /** Whether the loss of the leader matters. A member that requires a leader and was never accepted goes on searching. */
    private boolean canLose() {
        return contact.isAccepted() || (contact.wasConnected() && !settings.required());
    }

    private void loseIfGone(boolean isGone, long now) {
        if (isGone && canLose() && contact.hasBegun()) {
            lose(reachability.goneText(), now);
        }
    }

    /** The leader is gone or cannot be reached. */
    private void lose(String reason, long now) {
        if (!hasLeaderLeft) {
            endJob(JobEnd.lost(leader, host, reason), now);
        }
    }

    /** The job ends here, whatever the others do. They are told if possible. */
    @Override
    public void endJob(JobEnd end, long now) {
        if (hasEnded || events.isReleased() || events.isDecided()) {
            return;
        }
        hasEnded = true;
        boolean isFree = hasSucceeded
                && canLose()
                && events.cause().isEmpty()
                && !settings.run().hasBarrier();
        if (isFree) {
            events.add(new LinkEvent.MayLeave());
        } else if (events.cause().isPresent() && !isEarlier(end)) {
            events.add(new LinkEvent.Decided(events.cause().get()));
        } else {
            contact.send(new LocalEvent.Over(end, now));
            events.add(new LinkEvent.Decided(end));
        }
    }

    /** Whether the leader's loss is the earlier cause: it makes ranks here fail before it is certain, but causes no refusal. */
    private boolean isEarlier(JobEnd end) {
        boolean hasRefused =
                events.cause().filter(own -> own.kind() == JobEnd.Kind.REFUSED).isPresent();
        return end.kind() == JobEnd.Kind.LOST
                && !hasRefused
                && reachability.isAbsent()
                && contact.channel().changedAt() - overAt < 0;
    }

    private void presumeLeaderLost(long now) {
        boolean isSure = events.cause().isPresent() && now - overSaidAt >= OutcomeDecision.ANSWERS;
        JobEnd gone = JobEnd.lost(leader, host, reachability.goneText());
        if (contact.wasConnected() && contact.hasBegun() && isSure && isEarlier(gone)) {
            lose(gone.reason(), now);
        }
    }

    @Override
    public void check(long now) {
        skipPause(now - checkedAt, now);
        checkedAt = now;
        loseIfGone(reachability.isClosedForGood(now), now);
        if (settings.required() && contact.isTimedOut(now)) {
            lose(reachability.notReachedText() + " within " + Durations.format(settings.patience()), now);
        } else if (isAloneAtEnd(now)) {
            lose(reachability.notReachedText() + " within " + Durations.format(settings.lostAfter()), now);
        } else if (contact.hasBegun()
                && contact.wasConnected()
                && now - contact.channel().heardAt() >= settings.lostAfter().toNanos()) {
            lose(LivenessCheck.silence(settings), now);
        }
        if (!contact.channel().isConnected() && events.cause().isEmpty() && !events.isReleased() && !hasLeaderLeft) {
            reachability.reportUnreached(now);
        }
        presumeLeaderLost(now);
        checkEnd(now);
    }

    /** This launcher itself was suspended: the silence of the leader does not count. */
    private void skipPause(long pause, long now) {
        if (pause > LivenessCheck.STANDSTILL) {
            contact.skipPause(pause, now);
            reachability.skipPause(pause, now);
        }
    }

    private boolean isAloneAtEnd(long now) {
        return settings.requiredAtEnd()
                && hasSucceeded
                && !contact.wasConnected()
                && now - openedAt >= settings.lostAfter().toNanos();
    }

    private void checkEnd(long now) {
        if (events.cause().isPresent() || events.isDecided() || events.isReleased()) {
            return;
        }
        boolean isAlone = !contact.wasConnected() && !settings.awaitsAll() && now - openedAt >= JobTermination.SHOW;
        if (hasSucceeded && (hasLeaderLeft || isAlone)) {
            events.add(new LinkEvent.MayLeave());
        } else if (hasLeaderLeft && (follows || settings.run().hasBarrier())) {
            endJob(JobEnd.lost(leader, host, "its launcher left before it said how the job ended"), now);
        }
    }

    @Override
    public Set<String> toSend(long now) {
        return contact.nextDue(now) - now <= 0 ? Set.of(leader) : Set.of();
    }

    @Override
    public Channel.Batch next(String peer, long now) {
        return contact.channel().next(now);
    }

    @Override
    public boolean isAllConfirmed() {
        return contact.channel().isConfirmed();
    }

    @Override
    public long nextCheck(long now) {
        return Math.min(checkedAt + PAUSE, contact.nextDue(now));
    }

    @Override
    public List<LinkEvent> drainEvents() {
        return events.drain();
    }
}
