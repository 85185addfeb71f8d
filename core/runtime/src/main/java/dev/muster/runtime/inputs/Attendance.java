package dev.muster.runtime.inputs;

/**
 * Which launchers of the last run are here for the next one.
 *
 * @param who the launcher that it is about, as messages call it; empty when all are here
 */
public record Attendance(State state, String who) {

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
    public static Attendance complete() {
        return new Attendance(State.COMPLETE, "");
    }

    public static Attendance missing(String who) {
        return new Attendance(State.MISSING, who);
    }

    public static Attendance replaced(String who) {
        return new Attendance(State.REPLACED, who);
    }
}
