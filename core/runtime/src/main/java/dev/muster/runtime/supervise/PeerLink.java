package dev.muster.runtime.supervise;

import dev.muster.runtime.link.Link;
import java.time.Duration;
import java.util.Optional;

/**
 * The other launchers of the job, and this launcher's relation to them.
 *
 * @param link open; the code that opened it closes it
 * @param isRestartable whether the job may restart in place
 * @param exitDelay how long a launcher stays after a failure on another node; a signal ends the stay. Its processes are stopped at once all
 *     the same. It is for platforms that do not restart a job whose pods all failed together. The launcher of the failed node does not wait
 *     for the launchers that stay. Empty: no launcher stays
 */
public record PeerLink(Link link, boolean isRestartable, Optional<Duration> exitDelay) {

    /** Why a launcher stays, for messages. */
    public static final String WHY_DELAYED =
            ": the platform does not restart a job whose containers all fail at once; SIGTERM ends the wait";

    /** For a launcher without other launchers. */
    static final PeerLink NONE = new PeerLink(Link.NONE, false, Optional.empty());
}
