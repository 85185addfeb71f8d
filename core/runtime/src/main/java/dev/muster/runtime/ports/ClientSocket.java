package dev.muster.runtime.ports;

import java.io.IOException;
import java.net.InetAddress;
import java.net.StandardSocketOptions;
import java.net.UnknownHostException;
import java.nio.channels.SocketChannel;
import java.security.Security;
import java.util.List;

/**
 * Sockets for connections that the launcher makes. Linux gives them any local port of a range (32768 to 60999), which may also have ports
 * of the job's servers. A server that binds the same port at that moment must get it.
 */
public final class ClientSocket {

    private ClientSocket() {}

    /** The addresses of a host. */
    public static List<InetAddress> addresses(String host) throws UnknownHostException {
        // By default Java caches for ten seconds that a host does not exist. The host may come up meanwhile.
        Security.setProperty("networkaddress.cache.negative.ttl", "1");
        return List.of(InetAddress.getAllByName(host));
    }

    /** A socket whose local port a server can still bind, if it sets SO_REUSEADDR as nearly all do. */
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
     * Whether a socket has connected to itself. That happens rarely, when a local port without a listener is also the local port of the
     * socket. SO_LINGER 0 then avoids TIME_WAIT, in which the kernel would block the port for a minute.
     */
    public static boolean hasMetItself(SocketChannel connected) throws IOException {
        if (!connected.getLocalAddress().equals(connected.getRemoteAddress())) {
            return false;
        }
        connected.setOption(StandardSocketOptions.SO_LINGER, 0);
        return true;
    }
}
