package dev.muster.runtime.link;

/** Since when nobody speaks for a member's leader at its host, which is no matter of the network. */
final class Absence {

    private boolean lasts;
    private long since;
    private String why = "";

    /** The leader could not be reached. */
    void notReached(String reason, boolean isAbsent, long now) {
        why = reason;
        if (isAbsent && !lasts) {
            since = now;
        }
        lasts = isAbsent;
    }

    void over() {
        lasts = false;
    }

    boolean lasts() {
        return lasts;
    }

    /** Whether it has lasted so long that the leader does not come again. */
    boolean isLoss(long now) {
        return lasts && now - since >= Endings.RESUME;
    }

    /** For users. */
    String reason() {
        return "its launcher is gone (" + why + ")";
    }
}
