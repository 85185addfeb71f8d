package dev.muster.runtime.link;

import java.util.Collection;
import org.jspecify.annotations.Nullable;

/** The connections of one side of the link. */
interface Connections {

    /** Does what is due by now. */
    void tick(long now);

    /** When {@link #tick} has something to do even if nothing happens. */
    long due(long now);

    /** Who is connected under this name; null: nobody. */
    @Nullable Peer peer(String name);

    /** All that are connected. */
    Collection<Peer> peers();

    /** A peer's connection is closed. */
    void lost(Peer peer, String why, Disconnection how, long now);

    /** A peer does not take this launcher in. */
    void refused(Peer peer, Rejection rejection, long now);

    /** Gives all sockets back. */
    void close();
}
