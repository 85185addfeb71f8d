package dev.muster.runtime.link;

import java.util.Optional;

/** What a member's part has said of itself. */
final class OwnPart {

    private Optional<Said.Planned> plan = Optional.empty();
    private boolean hasSucceeded;
    /** When it ended otherwise than with success, and when that was said. */
    private long overAt;

    private long overSaidAt;
    /** The number with which the leader was told that it ended; 0: it was not. */
    private long overNumber;

    void says(Said said, long now) {
        if (said instanceof Said.Planned planned) {
            plan = Optional.of(planned);
        } else if (said instanceof Said.Over over) {
            overAt = over.nanoTime();
            overSaidAt = now;
        } else if (said instanceof Said.Succeeded) {
            hasSucceeded = true;
        }
    }

    /** The leader has been told this with a number. */
    void told(Said said, long number) {
        if (said instanceof Said.Over) {
            overNumber = number;
        }
    }

    /** What the leader must have confirmed so that everybody hears of this part's end; 0: nothing. */
    long overNumber() {
        return overNumber;
    }

    Optional<Said.Planned> plan() {
        return plan;
    }

    /** Whether it ends with the leader's. */
    boolean follows() {
        return plan.map(Said.Planned::follows).orElse(false);
    }

    boolean hasSucceeded() {
        return hasSucceeded;
    }

    /** Whether its end was later than this time. */
    boolean endedAfter(long time) {
        return time - overAt < 0;
    }

    /** Whether the leader has had time to answer that it has ended. */
    boolean hasLongEnded(long now) {
        return now - overSaidAt >= Fate.ANSWERS;
    }
}
