package dev.muster.runtime.link;

import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * One launcher's logic of the link: what to tell whom, what it receives, and which launcher is lost. It knows no connection and no clock.
 * One thread at a time. Times are nanoseconds on this launcher's clock.
 */
interface Party {

    interface Maker {

        Party make(LinkSettings settings, LinkLog log, long now);
    }

    /** This launcher reports an event about itself. */
    void onLocalEvent(LocalEvent said, long now);

    /**
     * Why a launcher that knows the key may not take its place; empty: it may, and {@link #onConnected} comes next. A member asks this about
     * its leader too, before it sends its proof, so that it accepts no leader of another run.
     *
     * @param run the text of its {@link LinkRun}
     * @param host the host that it names, or the address that it connects from
     */
    Optional<Rejection> admit(String peer, String run, Optional<String> host, long now);

    /**
     * A launcher that was {@link #admit admitted} is connected. This replaces an earlier connection of the peer. If the run differs, the
     * earlier run was dead.
     */
    void onConnected(String peer, String run, long now);

    /**
     * A connection ended or could not be made.
     *
     * @param why a few words for users: {@code connection refused}, {@code its name does not resolve}. May also be the reason why a peer,
     *     to which this side does not connect, cannot come
     */
    void onDisconnected(String peer, String why, Disconnection how, long now);

    /**
     * The connections give a reason to end the job: no port to listen on, another version of Muster, two live launchers of one name. It is
     * not this launcher's own cause: its part gets {@link LinkEvent.Stop}.
     */
    void endJob(JobEnd end, long now);

    /** A batch has arrived. */
    void onReceived(String peer, Channel.Batch batch, long now);

    /** The peers to send a batch to now: there is a message, or a beat is due. */
    Set<String> toSend(long now);

    /** The next batch for a peer; at most 32 KiB as JSON. */
    Channel.Batch next(String peer, long now);

    /** Whether all connected peers have confirmed all messages, so that connections may be closed. */
    boolean isAllConfirmed();

    /** Does what is due by now. */
    void check(long now);

    /** When to call {@link #check} or {@link #toSend} again if nothing happens. */
    long nextCheck(long now);

    /** The new events for this launcher's part; each comes once. */
    List<LinkEvent> drainEvents();

    /** What the leader knows about all launchers. */
    default LinkReport report() {
        return LinkReport.NOTHING;
    }
}
