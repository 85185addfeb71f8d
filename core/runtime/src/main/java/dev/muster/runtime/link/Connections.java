package dev.muster.runtime.link;

import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The connections of one side of the link. */
interface Connections {

    /** Used when nothing is due. */
    long FAR = TimeUnit.SECONDS.toNanos(60);

    /** Does what is due by now. */
    void tick(long now);

    /** When {@link #tick} is due if nothing happens. */
    long due(long now);

    /** The connected peers by name. */
    Map<String, Peer> peers();

    /** A peer's connection is closed. */
    void onLost(Peer peer, String why, Disconnection how, long now);

    /** A peer has rejected this launcher. */
    void onRefused(Peer peer, Rejection rejection, long now);

    /** Closes all sockets. */
    void close();
}
