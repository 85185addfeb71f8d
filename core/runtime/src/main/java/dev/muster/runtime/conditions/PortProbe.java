package dev.muster.runtime.conditions;

import dev.muster.runtime.ports.ClientSocket;
import dev.muster.runtime.threads.Daemon;
import dev.muster.spi.Condition;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.channels.SocketChannel;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Connects to a port, again and again, until a connection succeeds. It has a thread of its own. It closes each connection at once. */
final class PortProbe {

    /** How long a try may take; the kernel itself would try for two minutes. */
    private static final int PATIENCE_MILLIS = 2000;

    private static final long SHORTEST_PAUSE = TimeUnit.MILLISECONDS.toNanos(20);
    private static final long LONGEST_PAUSE = TimeUnit.MILLISECONDS.toNanos(250);

    private final Condition condition;
    private final Runnable opened;
    private volatile PortStatus status = PortStatus.UNRESOLVED;
    private volatile boolean isClosed;

    /** @param opened called once, on the probing thread */
    PortProbe(Condition condition, Runnable opened) {
        this.condition = condition;
        this.opened = opened;
    }

    void start() {
        Daemon.start("conditions", this::run);
    }

    /** Ends the thread, after its current try. */
    void close() {
        isClosed = true;
    }

    PortStatus status() {
        return status;
    }

    private void run() {
        long pause = SHORTEST_PAUSE;
        while (!isClosed) {
            status = probe();
            if (status == PortStatus.OPEN) {
                opened.run();
                return;
            }
            LockSupport.parkNanos(pause);
            pause = Math.min(LONGEST_PAUSE, pause + pause / 2);
        }
    }

    private PortStatus probe() {
        try (SocketChannel channel = ClientSocket.open()) {
            InetAddress address = ClientSocket.addresses(condition.host()).get(0);
            channel.socket().connect(new InetSocketAddress(address, condition.port()), PATIENCE_MILLIS);
            return ClientSocket.hasMetItself(channel) ? PortStatus.REFUSED : PortStatus.OPEN;
        } catch (UnknownHostException noAddress) {
            return PortStatus.UNKNOWN_HOST;
        } catch (ConnectException refused) {
            return PortStatus.REFUSED;
        } catch (IOException silent) {
            return PortStatus.SILENT;
        }
    }
}
