package dev.muster.runtime.link;

import dev.muster.runtime.output.Cadence;
import java.util.concurrent.TimeUnit;

/** Tracks whether and why a member cannot reach its leader, and tells the user. */
final class LeaderReachability {

    /** When a closed connection means a lost leader: a deleted pod's host does not refuse, and a cut network closes nothing. */
    private static final long CLOSED_FOR_GOOD = TimeUnit.SECONDS.toNanos(10);

    private final boolean required;
    private final String leader;
    private final LinkLog log;
    private final Cadence unreached = new Cadence(Cadence.QUIET);
    private final long openedAt;
    private String why = "no connection yet";
    private boolean wasReached;
    private boolean isNoted;
    /** Whether the last try ended with {@link Disconnection#NOBODY}. */
    private boolean isAbsent;

    private long absentSince;
    /** Whether the leader's side closed the connection and has not answered since. */
    private boolean isClosed;

    private long closedSince;

    /** @param leader its name for users */
    LeaderReachability(LinkSettings settings, String leader, LinkLog log, long openedAt) {
        required = settings.required();
        this.leader = leader;
        this.log = log;
        this.openedAt = openedAt;
    }

    void onDisconnected(String reason, Disconnection how, long now) {
        why = reason;
        boolean absent = how == Disconnection.NOBODY;
        if (absent && !isAbsent) {
            absentSince = now;
        }
        isAbsent = absent;
        if (how == Disconnection.CLOSED) {
            closedSince = now;
        }
        isClosed = how == Disconnection.CLOSED || (isClosed && how != Disconnection.REFUSED);
    }

    void onConnected() {
        isAbsent = false;
        isClosed = false;
    }

    void onReached() {
        if (unreached.end() || isNoted) {
            log.say(leader + ", which leads, is reached");
        }
        wasReached = true;
        isNoted = false;
    }

    /** This launcher was suspended for this long and could not try. */
    void skipPause(long pause, long now) {
        closedSince = Math.min(now, closedSince + pause);
    }

    boolean isAbsent() {
        return isAbsent || isClosed;
    }

    /** Whether the leader is gone for good: its port or its connection was closed for too long. */
    boolean isGone(long now) {
        return (isAbsent && now - absentSince >= JobTermination.RESUME) || isClosedForGood(now);
    }

    /** Whether its connection was closed and could not be made again for too long, for any reason. */
    boolean isClosedForGood(long now) {
        return isClosed && now - closedSince >= CLOSED_FOR_GOOD;
    }

    /** For users. */
    String goneText() {
        return "its launcher is gone (" + (isClosed && !isAbsent ? "the connection was closed; since then: " : "") + why
                + ")";
    }

    /** For users. */
    String notReachedText() {
        return "its launcher, which leads, could not be reached (" + why + ")";
    }

    /** There is no connection. */
    void reportUnreached(long now) {
        String elapsed = LinkLog.seconds(now - openedAt);
        if (required || wasReached) {
            unreached
                    .due(() -> leader + ", which leads, cannot be reached: " + why, now)
                    .ifPresent(text -> log.say(text + ", " + elapsed));
        } else if (!isNoted && now - openedAt >= LivenessCheck.NOTE) {
            isNoted = true;
            log.say(leader + ", which leads, cannot be reached: " + why + ", " + elapsed
                    + ". This node goes on alone. It is not told how the others end, nor are they told how it ends"
                    + " (see --link and --link-port)");
        }
    }
}
