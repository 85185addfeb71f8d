package dev.muster.runtime.link;

import dev.muster.runtime.errors.ExitCode;
import dev.muster.spi.Host;
import dev.muster.spi.LauncherNodes;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The settings of a job's link.
 *
 * @param jobId known to all its launchers
 * @param launchers of the job; {@link LauncherNodes#required} as the plan wants it
 * @param required whether the job fails (75) if the link cannot be made within {@code patience}: {@code --link required}, or the plan needs
 *     it
 * @param requiredAtEnd whether a success becomes 75 if a launcher never connected, because no platform watches the nodes
 * @param key the secret that all launchers must know
 * @param ports the leader listens on the first free one; members try all
 * @param lostAfter after this silence a launcher counts as lost
 * @param grace between SIGTERM and SIGKILL; a leader waits a little longer than this for the others to leave
 * @param patience how long to wait for the others ({@code --input-timeout})
 * @param run the attempt for which it is made
 */
public record LinkSettings(
        String jobId,
        LauncherNodes launchers,
        boolean required,
        boolean requiredAtEnd,
        LinkKey key,
        List<Integer> ports,
        Duration lostAfter,
        Duration grace,
        Duration patience,
        LinkRun run) {

    /** The name of a launcher that refuses the job and does not know which node it is. */
    public static final String UNKNOWN_NODE = "unplaced";

    /** How long launchers stay, at most, to tell late launchers why there is no job. */
    public static final Duration MAX_EXIT_DELAY = Duration.ofSeconds(30);

    /** Whether all launchers must have connected before the job is a success. */
    boolean awaitsAll() {
        return required || requiredAtEnd;
    }

    /** How long a launcher that refuses the job stays for late launchers. */
    public Duration exitDelay() {
        return patience.compareTo(MAX_EXIT_DELAY) < 0 ? patience : MAX_EXIT_DELAY;
    }

    /** The link cannot be made, and the job needs it. */
    JobEnd refusal(ExitCode code, String reason) {
        Optional<String> host = launchers.self().host().map(Host::name);
        return JobEnd.of(JobEnd.Kind.REFUSED, launchers.own(), host, code.code(), reason);
    }

    /** The settings of a meeting before the job, for {@code muster doctor}. It runs nothing, and has an id of its own. */
    public LinkSettings forDoctor() {
        Duration longer = patience.plus(MAX_EXIT_DELAY);
        return new LinkSettings(
                jobId + " meeting", launchers, true, false, key, ports, lostAfter, grace, longer, LinkRun.first(1));
    }

    /** The same for another attempt. */
    public LinkSettings with(LinkRun other) {
        return new LinkSettings(
                jobId, launchers, required, requiredAtEnd, key, ports, lostAfter, grace, patience, other);
    }
}
