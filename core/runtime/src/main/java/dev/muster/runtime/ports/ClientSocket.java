package dev.muster.runtime.ports;

import java.io.IOException;
import java.net.InetAddress;
import java.net.StandardSocketOptions;
import java.net.UnknownHostException;
import java.nio.channels.SocketChannel;
import java.security.Security;
import java.util.List;

/**
 * The near end of connections that the launcher makes. The system gives it any port from a range of its own (Linux: 32768 to 60999),
 * and servers of a job may have theirs in there: a server that binds the same port at that moment must get it.
 */
public final class ClientSocket {

    private ClientSocket() {}

    /** The addresses of a host. */
    public static List<InetAddress> addresses(String host) throws UnknownHostException {
        // Java would believe for ten seconds that a host does not exist which comes up now.
        Security.setProperty("networkaddress.cache.negative.ttl", "1");
        return List.of(InetAddress.getAllByName(host));
    }

    /** A socket to connect from, beside whose port a server can bind its own, if it sets SO_REUSEADDR as nearly all do. */
    public static SocketChannel open() throws IOException {
        SocketChannel opened = SocketChannel.open();
        try {
            return opened.setOption(StandardSocketOptions.SO_REUSEADDR, true);
        } catch (IOException e) {
            opened.close();
            throw e;
        }
    }

    /**
     * Whether a connection has met itself: rarely, one to a port of this machine on which nobody listens comes from the very same
     * port. It then goes without a trace when it is closed, for otherwise the system would keep the port for a minute from whoever is
     * to listen on it.
     */
    public static boolean hasMetItself(SocketChannel connected) throws IOException {
        if (!connected.getLocalAddress().equals(connected.getRemoteAddress())) {
            return false;
        }
        connected.setOption(StandardSocketOptions.SO_LINGER, 0);
        return true;
    }
}
