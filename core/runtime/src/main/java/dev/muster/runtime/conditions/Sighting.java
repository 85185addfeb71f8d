package dev.muster.runtime.conditions;

import java.util.OptionalLong;

/**
 * When a port was last seen open, by whichever condition asked. Each condition asks at times of its own: were they not to
 * share this, a port that is open for a moment could have been open for one and not for another, which no plan expects. Used
 * by the probing thread only.
 */
final class Sighting {

    private OptionalLong last = OptionalLong.empty();

    void open(long now) {
        last = OptionalLong.of(now);
    }

    boolean wasOpen() {
        return last.isPresent();
    }

    /** Nanoseconds on the watch's clock; empty when it was never seen open. */
    OptionalLong last() {
        return last;
    }
}
