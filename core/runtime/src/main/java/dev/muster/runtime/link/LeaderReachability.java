package dev.muster.runtime.link;

/** Whether and why a member cannot reach its leader, and what its user is told of it. */
final class LeaderReachability {

    private final boolean required;
    private final String leader;
    private final LinkLog log;
    private final Cadence unreached = new Cadence(Cadence.QUIET);
    private final long openedAt;
    private String why = "no connection yet";
    private boolean wasReached;
    private boolean isNoted;
    /** Whether the leader's host answers, but nobody there speaks for it: no matter of the network. */
    private boolean isAbsent;

    private long absentSince;

    /** @param leader for users */
    LeaderReachability(LinkSettings settings, String leader, LinkLog log, long openedAt) {
        required = settings.required();
        this.leader = leader;
        this.log = log;
        this.openedAt = openedAt;
    }

    void isNot(String reason, boolean absent, long now) {
        why = reason;
        if (absent && !isAbsent) {
            absentSince = now;
        }
        isAbsent = absent;
    }

    /** It is connected. */
    void connected() {
        isAbsent = false;
    }

    void reached() {
        if (unreached.isOver() || isNoted) {
            log.say(leader + ", which leads, is reached");
        }
        wasReached = true;
        isNoted = false;
    }

    boolean isAbsent() {
        return isAbsent;
    }

    /** Whether nobody has spoken for it for so long that it does not come again. */
    boolean isGone(long now) {
        return isAbsent && now - absentSince >= JobTermination.RESUME;
    }

    /** For users. */
    String gone() {
        return "its launcher is gone (" + why + ")";
    }

    /** For users. */
    String notReached() {
        return "its launcher, which leads, could not be reached (" + why + ")";
    }

    /** There is no connection. */
    void look(long now) {
        String elapsed = LinkLog.seconds(now - openedAt);
        if (required || wasReached) {
            unreached
                    .is(leader + ", which leads, cannot be reached: " + why, now)
                    .ifPresent(text -> log.say(text + ", " + elapsed));
        } else if (!isNoted && now - openedAt >= LivenessCheck.NOTE) {
            isNoted = true;
            log.say(leader + ", which leads, cannot be reached: " + why + ", " + elapsed
                    + ": this node goes on alone; how the others end is not known here, nor there how this one ends"
                    + " (see --link and --link-port)");
        }
    }
}
