package dev.muster.runtime.inputs;

/**
 * Which launchers of the last run are here for the next one.
 *
 * @param who the launcher that it is about, as messages call it; empty when all are here
 */
public record MembershipView(State state, String who) {

    /** What can be said of all of them together. */
    public enum State {
        /** All are here, and nobody was replaced. */
        COMPLETE,
        /** One has not come yet. */
        MISSING,
        /** In the place of one is another, which has seen nothing of the last run. */
        REPLACED
    }

    /** All are here; a launcher that is alone is always complete. */
    public static MembershipView complete() {
        return new MembershipView(State.COMPLETE, "");
    }

    public static MembershipView missing(String who) {
        return new MembershipView(State.MISSING, who);
    }

    public static MembershipView replaced(String who) {
        return new MembershipView(State.REPLACED, who);
    }
}
