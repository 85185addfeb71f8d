package dev.muster.runtime.link;

import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

/**
 * Counts connections that came to nothing, and says so now and then: what they sent reaches no log, and however many they are,
 * the log stays short.
 */
final class RejectedConnections {

    private static final long FIRST_PAUSE = TimeUnit.SECONDS.toNanos(10);
    private static final long LONGEST_PAUSE = TimeUnit.MINUTES.toNanos(10);

    private long untold;
    private long withOtherKey;
    private String last = "";
    private long pause = FIRST_PAUSE;
    private OptionalLong due = OptionalLong.empty();

    /** @param hasOtherKey whether it named this job, but did not know its key */
    void count(String address, boolean hasOtherKey, long now) {
        untold++;
        withOtherKey += hasOtherKey ? 1 : 0;
        last = address;
        if (due.isEmpty()) {
            due = OptionalLong.of(now + pause);
        }
    }

    /** When there is something to say. */
    OptionalLong due() {
        return due;
    }

    /** What there is to say by now. */
    Optional<String> line(long now) {
        return due.isPresent() && now - due.getAsLong() >= 0 ? rest() : Optional.empty();
    }

    /** What has not been said yet. */
    Optional<String> rest() {
        if (untold == 0) {
            return Optional.empty();
        }
        boolean isOne = untold == 1;
        String line = (isOne ? "1 connection" : untold + " connections") + " to the link's port that "
                + (isOne ? "is" : "are") + " not of this job " + (isOne ? "was" : "were") + " refused (last from "
                + last + ")"
                + (withOtherKey == 0
                        ? ""
                        : "; " + withOtherKey + " of them named this job and had another key (--link-secret must be the"
                                + " same on all nodes)");
        untold = 0;
        withOtherKey = 0;
        due = OptionalLong.empty();
        pause = Math.min(LONGEST_PAUSE, pause * 2);
        return Optional.of(line);
    }
}
