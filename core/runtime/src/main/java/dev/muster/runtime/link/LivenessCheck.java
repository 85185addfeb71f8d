package dev.muster.runtime.link;

import dev.muster.runtime.text.Durations;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Checks all launchers ten times a second: which are lost, and which do not come. */
final class LivenessCheck {

    /** After this time the user is told that the link to a node cannot be made. */
    static final long NOTE = TimeUnit.SECONDS.toNanos(60);

    private static final long PAUSE = TimeUnit.MILLISECONDS.toNanos(100);
    /** After this time without a check, this launcher itself was suspended. */
    static final long STANDSTILL = TimeUnit.SECONDS.toNanos(3);

    /** How long the others need to say that they declared this launcher lost while it was suspended. */
    private static final long TO_HEAR = TimeUnit.SECONDS.toNanos(1);

    private final LinkSettings settings;
    private final Membership membership;
    private final JobTermination termination;
    private final AttemptBarrier barrier;
    private final ArrivalReporter reporter;
    private final long openedAt;
    private long checkedAt;
    private boolean isTimedOut;

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
        checkedAt = openedAt;
    }

    /** Whether this launcher was suspended: it must read pending input before it decides anything. */
    boolean wasSuspended(long now) {
        return now - checkedAt > STANDSTILL;
    }

    /** Checks all launchers if it is time; false: it is not. */
    boolean check(long now) {
        if (now - nextCheck() < 0) {
            return false;
        }
        long pause = now - checkedAt;
        checkedAt = now;
        if (pause > STANDSTILL) {
            // This launcher itself was suspended: the silence of the others does not count.
            membership.all().forEach(member -> member.channel().ifPresent(channel -> channel.skipPause(pause, now)));
            termination.delaySuccess(now + TO_HEAR);
        }
        if (barrier.hasBegun()) {
            membership.all().forEach(member -> check(member, now));
        }
        barrier.check(now);
        if (!termination.isEnding()) {
            reporter.report(now).ifPresent(membership::tellAll);
            checkTimeout(now);
        }
        return true;
    }

    private void check(MemberState member, long now) {
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

    private void checkTimeout(long now) {
        long since = barrier.hasBegun() ? openedAt : barrier.since();
        boolean isAtEnd = settings.requiredAtEnd() && termination.hasSucceeded();
        Duration limit = settings.required() ? settings.patience() : settings.lostAfter();
        if (!(settings.required() || isAtEnd) || isTimedOut || now - since < limit.toNanos()) {
            return;
        }
        isTimedOut = true;
        endJob(reporter.absent(), Durations.format(limit), now);
    }

    private void endJob(List<MemberState> absent, String patience, long now) {
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

    /** When the next check is due. */
    long nextCheck() {
        return checkedAt + PAUSE;
    }
}
