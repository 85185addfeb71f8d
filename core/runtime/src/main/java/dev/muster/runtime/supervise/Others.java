package dev.muster.runtime.supervise;

import dev.muster.runtime.link.Link;
import java.time.Duration;
import java.util.Optional;

/**
 * The other launchers of the job, and how this one goes along with them.
 *
 * @param link open; whoever opened it closes it
 * @param stopsAlone whether a signal to this launcher ends its own node only ({@code --stop node}): the others go on, and
 *     nothing here counts as a failure of the job
 * @param restarts whether the job may restart in place, so that a node that is stopped alone is lost for the others
 * @param staysFor how long a launcher stays after the end of a job that failed on another node, unless it gets a signal; its
 *     processes are stopped at once all the same. For platforms that do not start a job again whose pods have all failed
 *     together. The launcher where the job failed does not wait for those that stay. Empty: nobody stays
 * @param host of this launcher, as the others know it
 */
public record Others(
        Link link, boolean stopsAlone, boolean restarts, Optional<Duration> staysFor, Optional<String> host) {

    /** In a job with one run. */
    public Others(Link link, boolean stopsAlone, Optional<Duration> staysFor, Optional<String> host) {
        this(link, stopsAlone, false, staysFor, host);
    }

    /** A launcher that is alone. */
    static final Others NONE = new Others(Link.NONE, false, Optional.empty(), Optional.empty());
}
