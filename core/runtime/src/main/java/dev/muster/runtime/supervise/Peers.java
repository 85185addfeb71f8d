package dev.muster.runtime.supervise;

import dev.muster.runtime.link.Link;
import java.time.Duration;
import java.util.Optional;

/**
 * The other launchers of the job, and how this one goes along with them.
 *
 * @param link open; whoever opened it closes it
 * @param restarts whether the job may restart in place
 * @param staysFor how long a launcher stays after the end of a job that failed on another node, unless it gets a signal; its
 *     processes are stopped at once all the same. For platforms that do not start a job again whose pods have all failed
 *     together. The launcher where the job failed does not wait for those that stay. Empty: nobody stays
 */
public record Peers(Link link, boolean restarts, Optional<Duration> staysFor) {

    /** A launcher that is alone. */
    static final Peers NONE = new Peers(Link.NONE, false, Optional.empty());
}
