package dev.muster.runtime.link;

import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Ends the job for all its launchers, and tells each when it may leave. */
final class JobTermination {

    /** How long a launcher has to connect again before it counts as gone. */
    static final long RESUME = TimeUnit.SECONDS.toNanos(5);

    /** How long to wait for launchers that are not required. */
    static final long SHOW = TimeUnit.SECONDS.toNanos(3);

    /** Beyond the grace: the time that a launcher needs before and after it. */
    private static final long LEAVE = TimeUnit.SECONDS.toNanos(5);

    private static final String SUCCESS = "everything that decides the job has succeeded";

    private final LinkSettings settings;
    private final Membership membership;
    private final ProcessTable processes;
    private final OutcomeDecision outcome = new OutcomeDecision();
    private final long openedAt;
    private boolean hasSucceeded;
    private Optional<String> reason = Optional.empty();
    private long successFrom;

    JobTermination(LinkSettings settings, Membership membership, ProcessTable processes, long openedAt) {
        this.settings = settings;
        this.membership = membership;
        this.processes = processes;
        this.openedAt = openedAt;
        this.successFrom = openedAt;
    }

    /** Delays a success: others may have declared this launcher lost while it was suspended, and must be heard first. */
    void delaySuccess(long until) {
        successFrom = settings.run().hasBarrier() ? until : successFrom;
    }

    /** Whether the leader's own part has succeeded. */
    boolean hasSucceeded() {
        return hasSucceeded;
    }

    boolean isEnding() {
        return outcome.isEnding();
    }

    /** Ends the job for a reason that no launcher has reported itself. */
    void end(JobEnd end, long now) {
        add(new LocalEvent.Over(end, now), now, now);
    }

    private void add(LocalEvent.Over over, long when, long now) {
        long patience = over.isConsequence() ? settings.grace().toNanos() : 0;
        outcome.add(over, when, now, patience).ifPresent(stop -> {
            membership.all().stream()
                    .filter(other -> other == membership.own() || other.isLive() || mayStillCome(other, now))
                    .forEach(outcome::expectAnswer);
            membership.tellAll(stop);
        });
    }

    /** A launcher reports why its part ended. */
    void onOver(MemberState member, LocalEvent.Over over, long now) {
        member.setCause(over);
        if (member == membership.own()) {
            membership.events().setOwnCause(over.end());
        }
        add(over, member.time(over.nanoTime(), now), now);
    }

    void onSucceeded(MemberState member, LocalEvent.Succeeded said) {
        member.markSucceeded();
        boolean isSuccess = outcome.decided()
                .filter(end -> end.kind() == JobEnd.Kind.SUCCESS)
                .isPresent();
        if (member == membership.own()) {
            hasSucceeded = true;
            reason = said.reason();
        } else if ((!isEnding() && !settings.run().hasBarrier()) || isSuccess) {
            // With restarts a launcher must stay for the next attempt.
            member.release();
            membership.tell(member, new LinkEvent.MayLeave());
        }
    }

    void onLeft(MemberState member, int exitCode) {
        member.markLeft(exitCode);
        processes.onGone(member);
    }

    /** A launcher is gone since this time. */
    void lose(MemberState member, String why, long since, long now) {
        member.markLost();
        if (!member.isReleased()) {
            add(new LocalEvent.Over(JobEnd.lost(member.name(), member.host(), why), since), since, now);
        }
        processes.onGone(member);
    }

    /** Tells a late launcher what it has missed. */
    void tellMissed(MemberState member) {
        outcome.stop().ifPresent(stop -> membership.tell(member, stop));
        outcome.decided().ifPresent(end -> membership.tell(member, new LinkEvent.Decided(end)));
    }

    /** Decides the outcome if it can be decided now. */
    void decide(long now) {
        if (outcome.canDecide(now)) {
            membership.all().forEach(member -> presumeLost(member, now));
            membership.tellAll(new LinkEvent.Decided(outcome.decide(now)));
        } else if (hasSucceeded
                && !isEnding()
                && now - successFrom >= 0
                && membership.all().stream().allMatch(member -> isDone(member, now))) {
            MemberState own = membership.own();
            JobEnd success = JobEnd.of(JobEnd.Kind.SUCCESS, own.name(), own.host(), 0, reason.orElse(SUCCESS));
            membership.tellAll(new LinkEvent.Decided(outcome.decide(success, now)));
        }
        if (outcome.decided().isPresent() && mayLeave(now)) {
            membership.events().add(new LinkEvent.MayLeave());
        }
    }

    /** A launcher's death makes ranks of others fail, which is reported first: so it counts before it is certain. */
    private void presumeLost(MemberState member, long now) {
        if (member.isLive() && !member.isConnected() && !member.hasAnswered() && !member.isReleased()) {
            long since = member.channel().orElseThrow().changedAt();
            outcome.add(
                    new LocalEvent.Over(JobEnd.lost(member.name(), member.host(), gone(member)), since), since, now, 0);
        }
    }

    /** The reason for the loss of a launcher whose connection has ended. */
    static String gone(MemberState member) {
        return "its launcher is gone"
                + member.why().map(why -> " (" + why + ")").orElse("");
    }

    private boolean isDone(MemberState member, long now) {
        if (member.isAbsent()) {
            return !settings.awaitsAll() && now - openedAt >= SHOW;
        }
        // With restarts, a disconnected launcher may have gone on to the next attempt.
        boolean mayBeAway = !settings.run().hasBarrier() || member.isGone() || member.isPresent();
        return member.isDone() && mayBeAway;
    }

    /**
     * Whether to expect a launcher that has not come yet: it must learn how the job ended. So it is shortly after the start and shortly
     * after a bad end. After a refusal it is a little longer.
     */
    private boolean mayStillCome(MemberState member, long now) {
        return member.isAbsent()
                && !member.isRefused()
                && (now - openedAt < SHOW
                        || outcome.decided().filter(end -> isNews(end, now)).isPresent());
    }

    private boolean isNews(JobEnd end, long now) {
        long time = end.mayBeOfOneNode() ? settings.exitDelay().toNanos() : SHOW;
        return end.kind() != JobEnd.Kind.SUCCESS && now - outcome.decidedAt() < time;
    }

    private boolean mayLeave(long now) {
        boolean waitedEnough = now - outcome.decidedAt() >= settings.grace().toNanos() + LEAVE;
        return membership.all().stream()
                .noneMatch(member -> (member.isLive() && !waitedEnough) || mayStillCome(member, now));
    }
}
