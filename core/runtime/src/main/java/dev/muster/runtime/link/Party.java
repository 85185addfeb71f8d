package dev.muster.runtime.link;

import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * One launcher's side of what is said over a link: what it must tell whom, what it hears, who is lost. Knows no connection and
 * no clock. One thread only; times are nanoseconds on this
 * launcher's clock.
 */
interface Party {

    /** Makes the party of this launcher. */
    interface Maker {

        Party make(LinkSettings settings, LinkLog log, long now);
    }

    /** This launcher says something of itself. */
    void say(LocalEvent said, long now);

    /**
     * Why a launcher that has proved to know the key may not take its place; empty: it may, and {@link #connected} comes next. A
     * member asks this of its leader, too, before it lets the
     * leader know that it is satisfied, so that it takes up with no leader of another run.
     *
     * @param run what it calls this run of itself
     * @param host where it says that it runs, or the address that it comes from
     */
    Optional<Rejection> admit(String peer, String run, Optional<String> host, long now);

    /**
     * A launcher that was {@link #admit admitted} is connected. A connection of the same peer before is gone, of which nothing
     * more comes: with the same run this one replaces it, with another run the old one was not alive any more.
     */
    void connected(String peer, String run, long now);

    /**
     * A connection has ended, or could not be made.
     *
     * @param why in a few words for users: {@code connection refused}, {@code its name does not resolve}. Also of a peer that this
     *     side does not connect to, where it is known why that one cannot come
     */
    void disconnected(String peer, String why, Disconnection how, long now);

    /**
     * The connections themselves give a reason to end the job: no port to listen on, another version of Muster, two live
     * launchers of one name. Not this launcher's own cause: its part hears {@link LinkEvent.Stop}.
     */
    void ended(JobEnd end, long now);

    /** A batch has come. */
    void received(String peer, Channel.Batch batch, long now);

    /** The peers that should be sent a batch now: there is something new, or a beat is due. */
    Set<String> toSend(long now);

    /** What a peer is to be sent; at most 32 KiB as JSON. */
    Channel.Batch next(String peer, long now);

    /** Whether all connected peers have everything that they were told, so that a connection may be closed. */
    boolean isAllSeen();

    /** Does what is due by now. */
    void look(long now);

    /** When {@link #look} or {@link #toSend} should be asked again even if nothing happens. */
    long nextLook(long now);

    /** What this launcher's part must hear; each once. */
    List<LinkEvent> heard();

    /** What a leader knows of all launchers. */
    default LinkReport report() {
        return LinkReport.NOTHING;
    }
}
