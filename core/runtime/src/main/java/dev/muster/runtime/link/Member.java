package dev.muster.runtime.link;

import dev.muster.runtime.text.Durations;
import dev.muster.spi.Host;
import dev.muster.spi.Launchers;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;

/** A launcher that does not lead: it speaks with its leader only, and takes orders from nobody else. */
final class Member implements Party {

    private static final long PAUSE = TimeUnit.SECONDS.toNanos(1);

    private final LinkSettings settings;
    private final long openedAt;
    private final String leader;
    private final Optional<String> host;
    private final Ear ear = new Ear();
    private final Lines lines = new Lines();
    private final Membership membership;
    private final OwnPart part = new OwnPart();
    private final Dialogue dialogue;
    private final Reach reach;
    private final Absence absence = new Absence();
    private boolean hasLeaderLeft;
    private boolean hasEnded;
    private long lookedAt;

    /**
     * @param digest a short text made of the job's key and a text, so that texts can be compared without being told; called once
     *     the first peer is connected, when the key is known
     */
    Member(LinkSettings settings, UnaryOperator<String> digest, long now) {
        this.settings = settings;
        openedAt = now;
        lookedAt = now;
        membership = new Membership(settings, now);
        Launchers.Peer leading = settings.launchers().leading();
        leader = leading.name();
        host = leading.host().map(Host::name);
        dialogue = new Dialogue(leader, membership, part, digest, now);
        reach = new Reach(settings, JobEnd.where(leader, host), lines, now);
    }

    @Override
    public void say(Said said, long now) {
        part.says(said, now);
        if (said instanceof Said.Over over) {
            ear.hasOwnCause(over.end());
        }
        dialogue.tell(said);
        lookAtTheEnd(now);
    }

    @Override
    public Admission admit(String peer, String newRun, Optional<String> from, long now) {
        if (!peer.equals(leader)) {
            return new Admission.Refusal("it does not lead this job", Optional.empty());
        }
        if (membership.takes(newRun)) {
            return new Admission.Welcome();
        }
        RunName there = RunName.read(newRun);
        if (membership.isBehind(there)) {
            return new Admission.Refusal("it has not ended the run before yet", Optional.empty());
        }
        if (membership.isRetired(there)) {
            return new Admission.Refusal("another launcher has led the job since", Optional.empty());
        }
        if (membership.isLeftBehind(there)) {
            return isLeftBehind(membership.leftBehind(there), now);
        }
        lose(Ends.STARTED_AGAIN, now);
        return new Admission.Refusal(Ends.STARTED_AGAIN, Optional.empty());
    }

    private Admission isLeftBehind(JobEnd end, long now) {
        if (!hasEnded && !ear.isReleased() && !ear.isDecided()) {
            ear.leftBehind();
            end(end, now);
        }
        return new Admission.Refusal(end.reason(), Optional.empty());
    }

    @Override
    public void connected(String peer, String newRun, long now) {
        if (!(admit(peer, newRun, Optional.empty(), now) instanceof Admission.Welcome)) {
            return;
        }
        absence.over();
        dialogue.connected(newRun, now);
        if (membership.hasBegun()) {
            reach.reached();
        }
    }

    @Override
    public void disconnected(String peer, String why, boolean absent, long now) {
        reach.isNot(why);
        dialogue.disconnected(now);
        absence.notReached(why, absent, now);
        if (canLose() && membership.hasBegun() && absence.isLoss(now)) {
            lose(absence.reason(), now);
        }
    }

    @Override
    public void ended(JobEnd end, long now) {
        end(end, now);
    }

    @Override
    public boolean isEnding() {
        return ear.isStopped();
    }

    @Override
    public void received(String peer, Batch batch, long now) {
        if (peer.equals(leader) && dialogue.wasConnected()) {
            membership.met(now);
            reach.reached();
            for (Fact fact : dialogue.receive(batch, now)) {
                OrderFacts.read(fact).ifPresent(order -> hear(order, now));
            }
        }
    }

    private void hear(Order order, long now) {
        if (order instanceof Order.Begin begin) {
            dialogue.settle();
            ear.begin(membership.begin(begin));
        } else if (order instanceof Order.Complete complete) {
            ear.complete(complete);
        } else if (order instanceof Order.Stop stop) {
            ear.stop(new Heard.Stop(stop.end(), stop.isDoubtful(), now));
        } else if (order instanceof Order.Decided decided) {
            ear.decided(decided.end(), now);
        } else if (order instanceof Order.ProcessIs process) {
            ear.processIs(process.process(), process.state(), now);
        } else if (order instanceof Order.Waiting waiting) {
            Arrivals.tell(waiting, settings.launchers().own(), lines);
        } else if (order instanceof Order.OtherCommand other) {
            part.plan().ifPresent(ours -> {
                lines.warn(Comparison.otherCommand(JobEnd.where(leader, host), other.command(), ours.command()));
                dialogue.answer(ToldFacts.command(ours.command()));
            });
        } else if (order instanceof Order.MayLeave) {
            ear.mayLeave();
        } else if (order instanceof Order.Goodbye) {
            // Before the run begins another leader may come.
            hasLeaderLeft = membership.hasBegun();
            lookAtTheEnd(now);
        }
    }

    /** Whether there is a leader whose loss matters; who needs one and was never taken in goes on looking for it. */
    private boolean canLose() {
        return dialogue.isTakenIn() || (dialogue.wasConnected() && !settings.required());
    }

    /** The leader is not there any more, or cannot be reached. */
    private void lose(String reason, long now) {
        boolean needsNothing = hasLeaderLeft || ear.isReleased() || ear.isDecided();
        if (!needsNothing) {
            end(Ends.lost(leader, host, reason), now);
        }
    }

    /** The job ends here, whatever the others do; they learn of it if they can. */
    private void end(JobEnd end, long now) {
        if (hasEnded || ear.isReleased() || ear.isDecided()) {
            return;
        }
        hasEnded = true;
        if (part.hasSucceeded()
                && canLose()
                && !ear.isStopped()
                && !settings.run().gathers()) {
            ear.mayLeave();
        } else if (ear.cause().isPresent() && !isEarlier(end)) {
            ear.decided(ear.cause().get(), now);
        } else {
            dialogue.tell(new Said.Over(end, now));
            ear.decided(end, now);
        }
    }

    @Override
    public boolean isAllSeen() {
        return dialogue.isAllSeen();
    }

    /** What the leader's end did to the ranks here is noticed before it is sure that the leader is gone. */
    private boolean isEarlier(JobEnd end) {
        return end.kind() == JobEnd.Kind.LOST && absence.lasts() && part.endedAfter(dialogue.changedAt());
    }

    private void blameTheAbsent(long now) {
        boolean isSure = ear.cause().isPresent() && part.hasLongEnded(now);
        JobEnd gone = Ends.lost(leader, host, absence.reason());
        if (dialogue.wasConnected() && membership.hasBegun() && isSure && isEarlier(gone)) {
            lose(gone.reason(), now);
        }
    }

    @Override
    public void look(long now) {
        long pause = now - lookedAt;
        if (pause > Rounds.STANDSTILL) {
            // This launcher itself stood still: the leader is not to blame for what was not heard.
            dialogue.excuse(pause, now);
            membership.excuse(pause, now);
        }
        lookedAt = now;
        boolean isMet = dialogue.isTakenIn() || !membership.hasBegun();
        if (membership.isOutOfPatience(now)
                || (!isMet
                        && settings.required()
                        && now - openedAt >= settings.patience().toNanos())) {
            lose(reach.notReached() + " within " + Durations.format(settings.patience()), now);
        } else if (membership.hasBegun() && dialogue.wasConnected()) {
            if (now - dialogue.heardAt() >= settings.lostAfter().toNanos()) {
                lose(Rounds.silence(settings), now);
            }
        }
        if (!dialogue.isConnected() && !ear.isStopped() && !ear.isReleased() && !hasLeaderLeft) {
            reach.look(now);
        }
        blameTheAbsent(now);
        lookAtTheEnd(now);
    }

    private void lookAtTheEnd(long now) {
        if (ear.isStopped() || ear.isDecided() || ear.isReleased()) {
            return;
        }
        boolean isAlone = !dialogue.wasConnected() && !settings.required() && now - openedAt >= Endings.SHOW;
        if (part.hasSucceeded() && (hasLeaderLeft || isAlone)) {
            ear.mayLeave();
        } else if (hasLeaderLeft && part.follows()) {
            end(Ends.lost(leader, host, "its launcher left before it said how the job ended"), now);
        }
    }

    @Override
    public Set<String> toSend(long now) {
        return dialogue.due(now);
    }

    @Override
    public Batch next(String peer, long now) {
        return dialogue.next(now);
    }

    @Override
    public OptionalLong nextLook(long now) {
        long shown = openedAt + Endings.SHOW;
        long next = shown - lookedAt > 0 && shown - lookedAt < PAUSE ? shown : lookedAt + PAUSE;
        if (ear.cause().isPresent() && !ear.isDecided()) {
            next = Math.min(next, lookedAt + PAUSE / 4);
        }
        OptionalLong sending = dialogue.nextDue(now);
        return sending.isPresent() && sending.getAsLong() - next < 0 ? sending : OptionalLong.of(next);
    }

    @Override
    public List<Heard> heard() {
        return ear.drain();
    }

    @Override
    public List<Line> lines() {
        return lines.drain();
    }

    @Override
    public LinkReport report() {
        return new LinkReport(List.of(), dialogue.isEndSeen());
    }
}
