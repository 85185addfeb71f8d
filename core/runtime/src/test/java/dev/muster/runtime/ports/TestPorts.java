package dev.muster.runtime.ports;

import java.io.IOException;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;

/** Ports of tests. */
public final class TestPorts {

    private static final int FIRST = 30_000;
    private static final int COUNT = 2500;
    private static final AtomicInteger NEXT =
            new AtomicInteger(ThreadLocalRandom.current().nextInt(COUNT));

    private TestPorts() {}

    /** A free port, outside of the range that Linux uses for outgoing connections. */
    public static int free() {
        while (true) {
            int port = FIRST + NEXT.getAndIncrement() % COUNT;
            try (ServerSocket socket = new ServerSocket(port)) {
                return socket.getLocalPort();
            } catch (IOException taken) {
                // The port is taken: try the next one.
            }
        }
    }
}
