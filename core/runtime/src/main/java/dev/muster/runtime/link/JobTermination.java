package dev.muster.runtime.link;

import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Ends the job for all its launchers, and lets them go. */
final class JobTermination {

    /** How long a closed connection may take to come again, before its launcher counts as gone. */
    static final long RESUME = TimeUnit.SECONDS.toNanos(5);

    /** How long launchers that nobody must wait for may take to show themselves. */
    static final long SHOW = TimeUnit.SECONDS.toNanos(3);

    /** Beside the grace, for what a launcher does before and after it. */
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

    /** Others may have taken this launcher for lost while it stood still: it hears of that before it takes the job for done. */
    void holdSuccess(long until) {
        successFrom = settings.run().gathers() ? until : successFrom;
    }

    /** Whether the leader's own part has. */
    boolean hasSucceeded() {
        return hasSucceeded;
    }

    boolean isEnding() {
        return outcome.isEnding();
    }

    /** Something ended the job; not the cause of one launcher's part. */
    void end(JobEnd end, long now) {
        add(new LocalEvent.Over(end, now), now, now);
    }

    private void add(LocalEvent.Over over, long when, long now) {
        long patience = over.isConsequence() ? settings.grace().toNanos() : 0;
        outcome.add(over, when, now, patience).ifPresent(stop -> {
            membership.all().stream()
                    .filter(other -> other == membership.own() || other.isLive() || mayStillCome(other, now))
                    .forEach(outcome::await);
            membership.tellAll(stop);
        });
    }

    /** A launcher's part ended for a reason of its own. */
    void over(MemberState member, LocalEvent.Over over, long now) {
        member.over(over);
        if (member == membership.own()) {
            membership.events().hasOwnCause(over.end());
        }
        add(over, member.here(over.nanoTime(), now), now);
    }

    void succeeded(MemberState member, LocalEvent.Succeeded said) {
        member.succeeded();
        boolean isSuccess = outcome.decided()
                .filter(end -> end.kind() == JobEnd.Kind.SUCCESS)
                .isPresent();
        if (member == membership.own()) {
            hasSucceeded = true;
            reason = said.reason();
        } else if ((!isEnding() && !settings.run().gathers()) || isSuccess) {
            // Whose job may start again in place must be there for the next run.
            member.release();
            membership.tell(member, new LinkEvent.MayLeave());
        }
    }

    void left(MemberState member, int exitCode) {
        member.left(exitCode);
        processes.gone(member);
    }

    /** A launcher is gone, since this time. */
    void lose(MemberState member, String why, long since, long now) {
        member.lost();
        if (!member.isReleased()) {
            add(new LocalEvent.Over(JobEnd.lost(member.name(), member.host(), why), since), since, now);
        }
        processes.gone(member);
    }

    /** Tells one who comes late what it has missed. */
    void tellBefore(MemberState member) {
        outcome.stop().ifPresent(stop -> membership.tell(member, stop));
        outcome.decided().ifPresent(end -> membership.tell(member, new LinkEvent.Decided(end)));
    }

    /** Decides what can be decided. */
    void look(long now) {
        if (outcome.isRipe(now)) {
            membership.all().forEach(member -> blameTheAbsent(member, now));
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
            membership.events().hear(new LinkEvent.MayLeave());
        }
    }

    /** What a launcher's end did to others is heard of before it is sure that the launcher is gone. */
    private void blameTheAbsent(MemberState member, long now) {
        if (member.isLive() && !member.isConnected() && !member.hasAnswered() && !member.isReleased()) {
            long since = member.channel().orElseThrow().changedAt();
            outcome.add(
                    new LocalEvent.Over(JobEnd.lost(member.name(), member.host(), gone(member)), since), since, now, 0);
        }
    }

    /** Why a launcher whose connection has ended is gone. */
    static String gone(MemberState member) {
        return "its launcher is gone"
                + member.why().map(why -> " (" + why + ")").orElse("");
    }

    private boolean isDone(MemberState member, long now) {
        if (member.isAbsent()) {
            return !settings.awaitsAll() && now - openedAt >= SHOW;
        }
        // Who is away may have gone on to the next run.
        boolean mayBeAway = !settings.run().gathers() || member.isGone() || member.isPresent();
        return member.isDone() && mayBeAway;
    }

    /**
     * All launchers have just been started: this one may have ended first, and must hear how the job did. Who comes a little after
     * another end must, too; after a refusal, which comes first of all, a little later still.
     */
    private boolean mayStillCome(MemberState member, long now) {
        return member.isAbsent()
                && !member.isRefused()
                && (now - openedAt < SHOW
                        || outcome.decided().filter(end -> isNews(end, now)).isPresent());
    }

    private boolean isNews(JobEnd end, long now) {
        long time = end.mayBeOfOneNode() ? settings.forTheLate().toNanos() : SHOW;
        return end.kind() != JobEnd.Kind.SUCCESS && now - outcome.decidedAt() < time;
    }

    private boolean mayLeave(long now) {
        boolean waitedEnough = now - outcome.decidedAt() >= settings.grace().toNanos() + LEAVE;
        return membership.all().stream()
                .noneMatch(member -> (member.isLive() && !waitedEnough) || mayStillCome(member, now));
    }
}
