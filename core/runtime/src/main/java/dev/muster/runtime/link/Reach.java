package dev.muster.runtime.link;

/** Tells a member's user why the leader cannot be reached. */
final class Reach {

    private final boolean required;
    private final String leader;
    private final Lines lines;
    private final Cadence unreached = new Cadence(Cadence.QUIET);
    private final long openedAt;
    private String why = "no connection yet";
    private boolean wasReached;
    private boolean isNoted;

    /** @param leader for users */
    Reach(LinkSettings settings, String leader, Lines lines, long openedAt) {
        required = settings.required();
        this.leader = leader;
        this.lines = lines;
        this.openedAt = openedAt;
    }

    void isNot(String reason) {
        why = reason;
    }

    void reached() {
        if (unreached.isOver() || isNoted) {
            lines.say(leader + ", which leads, is reached");
        }
        wasReached = true;
        isNoted = false;
    }

    String notReached() {
        return "its launcher, which leads, could not be reached (" + why + ")";
    }

    /** There is no connection. */
    void look(long now) {
        if (required || wasReached) {
            unreached
                    .is(leader + ", which leads, cannot be reached: " + why, now)
                    .ifPresent(text -> lines.say(text + ", " + Lines.seconds(now - openedAt)));
        } else if (!isNoted && now - openedAt >= Arrivals.NOTE) {
            isNoted = true;
            lines.say(leader + ", which leads, cannot be reached: " + why + ", " + Lines.seconds(now - openedAt)
                    + ": this node goes on alone; how the others end is not known here, nor there how this one ends"
                    + " (see --link and --link-port)");
        }
    }
}
