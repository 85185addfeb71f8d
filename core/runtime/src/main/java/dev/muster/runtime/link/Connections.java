package dev.muster.runtime.link;

import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The connections of one side of the link. */
interface Connections {

    /** Until then nothing is due by itself. */
    long FAR = TimeUnit.SECONDS.toNanos(60);

    /** Does what is due by now. */
    void tick(long now);

    /** When {@link #tick} has something to do even if nothing happens. */
    long due(long now);

    /** All that are connected, by their names. */
    Map<String, Peer> peers();

    /** A peer's connection is closed. */
    void lost(Peer peer, String why, Disconnection how, long now);

    /** A peer does not take this launcher in. */
    void refused(Peer peer, Rejection rejection, long now);

    /** Gives all sockets back. */
    void close();
}
