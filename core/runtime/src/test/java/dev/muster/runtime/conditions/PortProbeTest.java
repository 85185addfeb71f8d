package dev.muster.runtime.conditions;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.spi.Condition;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.UnknownHostException;
import java.nio.channels.Selector;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Real ports, and a clock that the test turns. */
@Timeout(60)
class PortProbeTest {

    private static final long TURN = TimeUnit.MILLISECONDS.toNanos(200);

    private final CountDownLatch hanging = new CountDownLatch(1);
    private volatile HostNames.Lookup lookup = host -> InetAddress.getLoopbackAddress();
    private final HostNames names = new HostNames(host -> lookup.find(host));
    private final Selector selector;
    private final ServerSocket server;
    private final List<Socket> clients = new ArrayList<>();
    private PortProbe probe;
    private long now;

    PortProbeTest() throws IOException {
        selector = Selector.open();
        server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        probe = new PortProbe(Condition.portOpen("peer", server.getLocalPort()), selector, names, now);
    }

    @AfterEach
    void giveBack() throws IOException {
        hanging.countDown();
        probe.close();
        names.close();
        for (Socket client : clients) {
            client.close();
        }
        server.close();
        selector.close();
    }

    @Test
    void aHostThatSwallowsConnectionsIsSilent() throws IOException {
        fillTheQueue();

        until("does not answer");
        assertThat(probe.isMet()).isFalse();
    }

    @Test
    void aHostWhoseNameIsNotKnownAnyMoreIsSilent() throws IOException {
        lookup = host -> {
            throw new UnknownHostException(host);
        };

        until("cannot be found: its name has no address");
        assertThat(probe.isMet()).isFalse();
    }

    @Test
    void aHostWhoseNameNobodyLooksUpIsSilent() throws IOException {
        lookup = this::hang;

        until("cannot be found: the look-up of its name gets no answer");
        assertThat(probe.isMet()).isFalse();
    }

    @Test
    void whoeverAnswersAgainIsOpen() throws IOException {
        HostNames.Lookup working = lookup;
        lookup = host -> {
            throw new UnknownHostException(host);
        };
        until("has no address");
        lookup = working;

        until("accepts connections");
        assertThat(probe.isMet()).isTrue();
    }

    private InetAddress hang(String host) throws UnknownHostException {
        try {
            hanging.await();
        } catch (InterruptedException over) {
            throw new UnknownHostException(host);
        }
        return InetAddress.getLoopbackAddress();
    }

    /** Nobody accepts: what does not fit into the queue gets no answer. */
    private void fillTheQueue() throws IOException {
        for (int client = 0; client < 3; client++) {
            Socket socket = new Socket();
            clients.add(socket);
            try {
                // On a busy machine the system may take its time for a connection that does fit.
                socket.connect(server.getLocalSocketAddress(), 500);
            } catch (java.net.SocketTimeoutException full) {
                return;
            }
        }
    }

    private void until(String finding) throws IOException {
        while (!probe.reason().endsWith(finding)) {
            step();
        }
    }

    private void step() throws IOException {
        selector.selectNow();
        selector.selectedKeys().clear();
        probe.step(now);
        LockSupport.parkNanos(1_000_000);
        now += TURN;
    }
}
