package dev.muster.runtime.link;

import dev.muster.runtime.errors.ExitCode;
import dev.muster.spi.Host;
import dev.muster.spi.LauncherNodes;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * How the link of a job is made.
 *
 * @param jobId known to all its launchers
 * @param launchers who they are; {@link LauncherNodes#required} as the plan wants it
 * @param required whether the job fails (75) when the link cannot be made within {@code patience}: {@code --link required}, or
 *     the plan needs it
 * @param requiredAtEnd whether a success is none (75) while a launcher has never been met: nobody but the launchers knows the nodes
 * @param key what a launcher must know to have a say
 * @param ports on which the leader listens: the first that is free; members try all
 * @param lostAfter how long a launcher may be silent before it counts as lost
 * @param grace how long ranks may take to end after a stop; a leader waits so long, and a little more, for the others to leave
 * @param patience how long others may take to come ({@code --input-timeout})
 * @param run for which it is made
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

    /** What a launcher is called that refuses the job and cannot tell which of its nodes it is. */
    public static final String UNPLACED = "unplaced";

    /** How long launchers stay to tell those that have not come yet why there is no job. */
    public static final Duration FOR_THE_LATE = Duration.ofSeconds(30);

    /** Whether all launchers must have been met before the job is a success. */
    boolean awaitsAll() {
        return required || requiredAtEnd;
    }

    /** How long a launcher that refuses the job stays for those that have not come yet. */
    public Duration forTheLate() {
        return patience.compareTo(FOR_THE_LATE) < 0 ? patience : FOR_THE_LATE;
    }

    /** The link cannot be made, and the job needs it. */
    JobEnd refusal(ExitCode code, String reason) {
        Optional<String> host = launchers.self().host().map(Host::name);
        return JobEnd.of(JobEnd.Kind.REFUSED, launchers.own(), host, code.code(), reason);
    }

    /** The same for launchers that all meet before the job, and run nothing of it; they are no launchers of that job. */
    public LinkSettings ofMeeting() {
        Duration longer = patience.plus(FOR_THE_LATE);
        return new LinkSettings(
                jobId + " meeting", launchers, true, false, key, ports, lostAfter, grace, longer, LinkRun.first(1));
    }

    /** The same for another run. */
    public LinkSettings of(LinkRun other) {
        return new LinkSettings(
                jobId, launchers, required, requiredAtEnd, key, ports, lostAfter, grace, patience, other);
    }
}
