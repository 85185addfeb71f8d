package dev.muster.runtime.link;

import dev.muster.runtime.text.Durations;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Looks after all launchers ten times a second: who is lost, who does not come. */
final class LivenessCheck {

    /** After which the user is told that the link to a node cannot be made. */
    static final long NOTE = TimeUnit.SECONDS.toNanos(60);

    private static final long PAUSE = TimeUnit.MILLISECONDS.toNanos(100);
    /** Without a look for so long: this launcher itself has not run. */
    static final long STANDSTILL = TimeUnit.SECONDS.toNanos(3);

    /** Others may have taken this launcher for lost while it stood still: they say so within this time. */
    private static final long TO_HEAR = TimeUnit.SECONDS.toNanos(1);

    private final LinkSettings settings;
    private final Membership membership;
    private final JobTermination termination;
    private final AttemptBarrier barrier;
    private final ArrivalReporter reporter;
    private final long openedAt;
    private long lookedAt;
    private boolean hasRunOut;

    LivenessCheck(
            LinkSettings settings,
            Membership membership,
            JobTermination termination,
            AttemptBarrier barrier,
            LinkLog log,
            long openedAt) {
        this.settings = settings;
        this.membership = membership;
        this.termination = termination;
        this.barrier = barrier;
        this.openedAt = openedAt;
        reporter = new ArrivalReporter(settings, membership, barrier, log, openedAt);
        lookedAt = openedAt;
    }

    /** Whether this launcher has not run for long: what has come meanwhile is read before anything is decided. */
    boolean isLate(long now) {
        return now - lookedAt > STANDSTILL;
    }

    /** Says whether it was time to look. */
    boolean look(long now) {
        if (now - next() < 0) {
            return false;
        }
        long pause = now - lookedAt;
        lookedAt = now;
        if (pause > STANDSTILL) {
            // This launcher itself stood still: nobody is to blame for what was not heard.
            membership.all().forEach(member -> member.channel().ifPresent(channel -> channel.excuse(pause, now)));
            termination.holdSuccess(now + TO_HEAR);
        }
        if (barrier.isOver()) {
            membership.all().forEach(member -> look(member, now));
        }
        barrier.look(now);
        if (!termination.isEnding()) {
            reporter.look(now).ifPresent(membership::tellAll);
            lookAtThePatience(now);
        }
        return true;
    }

    private void look(MemberState member, long now) {
        if (!member.isLive()) {
            return;
        }
        Channel channel = member.channel().orElseThrow();
        if (!channel.isConnected()) {
            if (now - channel.changedAt() >= JobTermination.RESUME) {
                termination.lose(member, JobTermination.gone(member), channel.changedAt(), now);
            }
        } else if (now - channel.heardAt() >= settings.lostAfter().toNanos()) {
            termination.lose(member, silence(settings), channel.heardAt(), now);
        }
    }

    static String silence(LinkSettings settings) {
        return "nothing was heard of its launcher for " + Durations.format(settings.lostAfter());
    }

    private void lookAtThePatience(long now) {
        long since = barrier.isOver() ? openedAt : barrier.since();
        boolean isAtEnd = settings.requiredAtEnd() && termination.hasSucceeded();
        Duration limit = settings.required() ? settings.patience() : settings.lostAfter();
        if (!(settings.required() || isAtEnd) || hasRunOut || now - since < limit.toNanos()) {
            return;
        }
        hasRunOut = true;
        endFor(reporter.absent(), Durations.format(limit), now);
    }

    private void endFor(List<MemberState> absent, String patience, long now) {
        if (!absent.isEmpty()) {
            MemberState first = absent.get(0);
            String others = absent.size() == 1
                    ? ""
                    : "; not there either: " + ArrivalReporter.named(absent.subList(1, absent.size()));
            String reason = "its launcher did not come within " + patience
                    + first.why().map(why -> " (" + why + ")").orElse("") + others;
            termination.end(JobEnd.lost(first.name(), first.host(), reason), now);
        } else {
            barrier.differing().ifPresent(member -> {
                String reason = "it has read other files of the job's nodes than "
                        + membership.own().where() + " for " + patience;
                termination.end(JobEnd.lost(member.name(), member.host(), reason), now);
            });
        }
    }

    /** When to look again. */
    long next() {
        return lookedAt + PAUSE;
    }
}
