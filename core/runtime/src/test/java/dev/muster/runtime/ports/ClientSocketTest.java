package dev.muster.runtime.ports;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.channels.SocketChannel;
import org.junit.jupiter.api.Test;

class ClientSocketTest {

    private static final InetAddress HERE = InetAddress.getLoopbackAddress();
    private static final int MOST_TRIES = 10;

    /** A connection of another process may have the same port. So the test tries several times. */
    @Test
    void aServerGetsThePortFromWhichAConnectionComes() throws IOException {
        boolean isBound = false;
        for (int tries = 0; tries < MOST_TRIES && !isBound; tries++) {
            isBound = isBoundBesideAConnection();
        }
        assertThat(isBound).isTrue();
    }

    private static boolean isBoundBesideAConnection() throws IOException {
        try (ServerSocket other = new ServerSocket(0, 1, HERE);
                SocketChannel client = ClientSocket.open();
                ServerSocket server = new ServerSocket()) {
            client.connect(other.getLocalSocketAddress());
            assertThat(ClientSocket.hasMetItself(client)).isFalse();
            server.setReuseAddress(true);
            server.bind(client.getLocalAddress());
            return true;
        } catch (BindException taken) {
            return false;
        }
    }

    @Test
    void aConnectionThatHasMetItselfKeepsThePortFromNobody() throws IOException {
        InetSocketAddress place;
        try (SocketChannel client = ClientSocket.open()) {
            client.bind(new InetSocketAddress(HERE, 0));
            place = (InetSocketAddress) client.getLocalAddress();
            client.connect(place);
            assertThat(ClientSocket.hasMetItself(client)).isTrue();
        }
        try (ServerSocket server = new ServerSocket()) {
            server.setReuseAddress(false);
            server.bind(place);
            assertThat(server.isBound()).isTrue();
        }
    }
}
