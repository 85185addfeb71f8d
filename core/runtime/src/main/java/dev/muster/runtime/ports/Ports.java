package dev.muster.runtime.ports;

import dev.muster.runtime.errors.ExitCode;
import dev.muster.runtime.errors.MusterException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;

/**
 * The TCP ports that this launcher holds for its job. While it lives no other launcher on this machine draws them, of any user. No process
 * needs to listen on them yet.
 */
public final class Ports implements AutoCloseable {

    /** ModelArts draws the ports of a job from this range. It lies below the ports that Linux gives to clients. */
    static final int FIRST = 5000;

    static final int LAST = 10_000;

    private final List<PortLock> locks = new ArrayList<>();

    /** A free port for processes of this launcher. */
    public int draw() {
        return draw(true);
    }

    /** A free port for another launcher, that of a simulated node, which announces its use. */
    public int drawForOthers() {
        return draw(false);
    }

    private int draw(boolean forUse) {
        int range = LAST - FIRST + 1;
        int start = ThreadLocalRandom.current().nextInt(range);
        for (int step = 0; step < range; step++) {
            int port = FIRST + (start + step) % range;
            if (hold(port, forUse)) {
                return port;
            }
        }
        throw new MusterException(
                ExitCode.UNAVAILABLE,
                "no TCP port from " + FIRST + " to " + LAST + " is free on this machine. Wait for other jobs to end");
    }

    private boolean hold(int port, boolean forUse) {
        Optional<PortLock> given = PortLock.take(PortLock.Word.GIVEN_OUT, port);
        if (given.isEmpty()) {
            return false;
        }
        Optional<PortLock> use = PortLock.take(PortLock.Word.IN_USE, port);
        boolean free = use.isPresent() && isFree(port);
        if (free) {
            locks.add(given.get());
        } else {
            given.get().close();
        }
        if (free && forUse) {
            locks.add(use.get());
        } else {
            use.ifPresent(PortLock::close);
        }
        return free;
    }

    /**
     * Announces that processes of this launcher will use a port, if no other launcher announces it.
     *
     * @return whether this launcher holds it now
     */
    boolean use(int port) {
        Optional<PortLock> lock = PortLock.take(PortLock.Word.IN_USE, port);
        lock.ifPresent(locks::add);
        return lock.isPresent();
    }

    /** The process that has this TCP port, for users. Empty if it is not visible, such as another user's process. */
    public static Optional<String> holder(int port) {
        return PortOwner.ofTcp(port).map(PortOwner::describe);
    }

    /** Whether a server could bind the port on all addresses. The check does not listen, so no client can connect to it. */
    static boolean isFree(int port) {
        return isFree(new InetSocketAddress(port));
    }

    /** Whether a server could bind this port on this address. */
    static boolean isFree(InetSocketAddress place) {
        try (SocketChannel socket = SocketChannel.open()) {
            socket.setOption(StandardSocketOptions.SO_REUSEADDR, true);
            socket.bind(place);
            return true;
        } catch (IOException taken) {
            return false;
        }
    }

    @Override
    public void close() {
        locks.forEach(PortLock::close);
        locks.clear();
    }
}
