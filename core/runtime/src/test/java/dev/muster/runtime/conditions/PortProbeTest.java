package dev.muster.runtime.conditions;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.spi.Condition;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.UnknownHostException;
import java.nio.channels.Selector;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Real ports, and a clock that the test turns. */
@Timeout(60)
class PortProbeTest {

    private static final Duration SILENT = Duration.ofMinutes(1);
    private static final long TURN = TimeUnit.MILLISECONDS.toNanos(200);

    private final CountDownLatch hanging = new CountDownLatch(1);
    private volatile HostNames.Lookup lookup = host -> InetAddress.getLoopbackAddress();
    private final HostNames names = new HostNames(host -> lookup.find(host));
    private final Selector selector;
    private final ServerSocket server;
    private final List<Socket> clients = new ArrayList<>();
    private PortProbe probe;
    private long now;
    private long lastOpen;

    PortProbeTest() throws IOException {
        selector = Selector.open();
        server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        probe = probe(Optional.of(SILENT));
    }

    @BeforeEach
    void seeItOpen() throws IOException {
        until("was open and now accepts connections");
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

        until("was open and now does not answer");
        isMetAfterSilence();
    }

    @Test
    void aHostWhoseNameIsNotKnownAnyMoreIsSilent() throws IOException {
        lookup = host -> {
            throw new UnknownHostException(host);
        };

        until("was open and now cannot be found: its name has no address");
        isMetAfterSilence();
    }

    @Test
    void aHostWhoseNameNobodyLooksUpIsSilent() throws IOException {
        lookup = this::hang;

        until("was open and now cannot be found: the look-up of its name gets no answer");
        isMetAfterSilence();
    }

    @Test
    void whoeverComesBackStartsTheCountAnew() throws IOException {
        HostNames.Lookup working = lookup;
        lookup = this::hang;
        until("gets no answer");
        long silentSince = now;
        lookup = working;
        hanging.countDown();
        until("was open and now accepts connections");

        while (now - silentSince < 2 * SILENT.toNanos()) {
            takeIn();
            step();
        }
        assertThat(probe.isMet()).isFalse();
    }

    @Test
    void silenceMeansNothingUnlessThePlanSaysSo() throws IOException {
        probe.close();
        probe = probe(Optional.empty());
        until("was open and now accepts connections");
        lookup = host -> {
            throw new UnknownHostException(host);
        };
        until("has no address");
        long silentSince = now;

        while (now - silentSince < 2 * SILENT.toNanos()) {
            step();
        }
        assertThat(probe.isMet()).isFalse();
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
                socket.connect(server.getLocalSocketAddress(), 50);
            } catch (java.net.SocketTimeoutException full) {
                return;
            }
        }
    }

    private void takeIn() throws IOException {
        server.setSoTimeout(1);
        try {
            server.accept().close();
        } catch (java.net.SocketTimeoutException nobody) {
            // The queue is empty, as it should be.
        }
    }

    private void isMetAfterSilence() throws IOException {
        long silentSince = now;
        assertThat(probe.isMet()).isFalse();
        while (!probe.isMet()) {
            assertThat(now - silentSince).isLessThan(2 * SILENT.toNanos());
            step();
        }
        // Silence may have begun before: a look-up that has no answer yet is one.
        assertThat(now - lastOpen).isGreaterThanOrEqualTo(SILENT.toNanos() - TURN);
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
        if (probe.reason().endsWith("accepts connections")) {
            lastOpen = now;
        }
        LockSupport.parkNanos(1_000_000);
        now += TURN;
    }

    private PortProbe probe(Optional<Duration> silent) {
        Condition.PortClosed condition =
                new Condition.PortClosed("peer", server.getLocalPort(), Duration.ofSeconds(5), silent);
        return PortProbe.of(condition, selector, names, new Sighting(), now);
    }
}
