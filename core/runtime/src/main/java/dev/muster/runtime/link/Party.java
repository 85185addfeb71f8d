package dev.muster.runtime.link;

import java.util.List;
import java.util.OptionalLong;
import java.util.Set;

/**
 * One launcher's side of what is said over a link: what it must tell whom, what it hears, who is lost. Knows no connection and
 * no clock, so that tests can lose, delay and reorder everything in memory. One thread only; times are nanoseconds on this
 * launcher's clock.
 */
interface Party {

    /** This launcher says something of itself. */
    void say(Said said, long now);

    /**
     * A launcher that has proved to know the key is connected. A connection of the same peer before is gone, of which nothing
     * more comes: with the same run this one replaces it, with another run the old one was not alive any more.
     */
    void connected(String peer, String run, long now);

    /**
     * A connection has ended, or could not be made.
     *
     * @param why in a few words for users, {@code connection refused} when nobody listens where the peer should or did
     */
    void disconnected(String peer, String why, long now);

    /**
     * The connections themselves give a reason to end the job: no port to listen on, another version of Muster, two live
     * launchers of one name. Not this launcher's own cause: its part hears {@link Heard.Stop}.
     */
    void ended(JobEnd end, long now);

    /** A batch has come. */
    void received(String peer, Batch batch, long now);

    /** The peers that should be sent a batch now: there is something new, or a beat is due. */
    Set<String> toSend(long now);

    /** What a peer is to be sent; at most 32 KiB as JSON. */
    Batch next(String peer, long now);

    /** Does what is due by now. */
    void look(long now);

    /** When {@link #look} or {@link #toSend} should be asked again even if nothing happens. */
    OptionalLong nextLook(long now);

    /** What this launcher's part must hear; each once. */
    List<Heard> heard();

    /** Lines for the user; each once. */
    List<String> lines();

    /** What is known of all launchers. */
    LinkReport report();
}
