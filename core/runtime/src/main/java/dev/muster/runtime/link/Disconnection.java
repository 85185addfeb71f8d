package dev.muster.runtime.link;

/** How a connection ended, or why it could not be made. Of two failed addresses, the later constant says more. */
enum Disconnection {
    /** The other side closed it. */
    CLOSED,
    /** The host answers, but the peer's port is closed or belongs to something else: the launcher is gone, and the network is fine. */
    NOBODY,
    /** The network or the host gives no answer, or this side closed the connection. */
    SILENCE,
    /** The peer answers, but rejects this launcher. */
    REFUSED
}
