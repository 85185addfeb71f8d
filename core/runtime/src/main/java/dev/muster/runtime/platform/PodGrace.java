package dev.muster.runtime.platform;

import java.time.Duration;

/** How the time that a pod has for its end becomes the ranks' grace. */
public final class PodGrace {

    /** What the launcher keeps of {@code TERMINATION_GRACE_PERIOD_SECONDS} for itself: to end, and to be seen to have ended. */
    public static final Duration MARGIN = Duration.ofSeconds(5);

    private PodGrace() {}
}
