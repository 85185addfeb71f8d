package dev.muster.runtime.link;

/** How a connection has ended, or why there is none; of two attempts at it, the later one in this order says more. */
enum Disconnection {
    /** The other side has closed it. */
    CLOSED,
    /** Its host answers, but nobody there speaks for the peer: no matter of the network. */
    NOBODY,
    /** The network, or the host, gives no answer; or this side has closed it. */
    SILENCE,
    /** The peer is there, but does not let this launcher in. */
    REFUSED
}
