package dev.muster.runtime.link;

import dev.muster.runtime.ports.Ports;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.SelectionKey;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Listens on the leader's port. A new connection is pending until it has proved that it knows the key. It has a few seconds and a few bytes
 * for that. When all places are taken, the oldest pending connection that has not named this job is closed.
 */
final class Acceptor {

    static final int PLACES = 256;
    static final long PATIENCE = TimeUnit.SECONDS.toNanos(5);
    static final int LONGEST_LINE = 2 * 1024;

    /** The backlog of the listening socket: a thousand members may come at once. */
    private static final int BACKLOG = 1024;
    /** How long to pause after a failed accept, which would fail again at once. */
    private static final long REST = TimeUnit.MILLISECONDS.toNanos(200);

    private final LinkContext context;
    private final JobKey job;
    private final LeaderConnections leader;
    private final ServerSocketChannel channel;
    private final SelectionKey key;
    /** Pending connections, oldest first. */
    private final Set<PendingConnection> pending = new LinkedHashSet<>();

    private long openAgainAt;

    private Acceptor(LinkContext context, JobKey job, LeaderConnections leader, ServerSocketChannel channel)
            throws IOException {
        this.context = context;
        this.job = job;
        this.leader = leader;
        this.channel = channel;
        channel.configureBlocking(false);
        key = channel.register(context.selector, SelectionKey.OP_ACCEPT, (LongConsumer) this::accept);
    }

    /**
     * Listens on the first free port, on all IPv4 and IPv6 addresses.
     *
     * @throws IOException no port is free; the message is for users
     */
    static Acceptor open(LinkContext context, JobKey job, LeaderConnections leader) throws IOException {
        for (int port : context.settings.ports()) {
            ServerSocketChannel channel = ServerSocketChannel.open();
            try {
                // Old connections of an earlier leader, in TIME_WAIT, must not block the port.
                channel.setOption(StandardSocketOptions.SO_REUSEADDR, true);
                channel.bind(new InetSocketAddress(port), BACKLOG);
                return new Acceptor(context, job, leader, channel);
            } catch (BindException e) {
                channel.close();
            } catch (IOException e) {
                channel.close();
                throw e;
            }
        }
        throw new IOException(problem(context.settings.ports()));
    }

    private static String problem(List<Integer> taken) {
        String owners = taken.stream()
                .flatMap(port -> Ports.holder(port).map(owner -> port + " by " + owner).stream())
                .collect(Collectors.joining(", "));
        String ports = taken.stream().map(String::valueOf).collect(Collectors.joining(", "));
        return "the link's leader has no port: " + (taken.size() == 1 ? "port " : "ports ") + ports
                + (taken.size() == 1 ? " is" : " are") + " taken"
                + (owners.isEmpty() ? ", or kept for root (those below 1024)" : " (" + owners + ")")
                + ". Give all nodes another port with --link-port";
    }

    private void accept(long now) {
        try {
            SocketChannel accepted = channel.accept();
            if (accepted != null) {
                receive(accepted, now);
            }
        } catch (IOException e) {
            // Most likely the process has no file descriptor left. Closing a pending connection frees one.
            makeRoom(now);
            key.interestOps(0);
            openAgainAt = now + REST;
        }
    }

    private void receive(SocketChannel accepted, long now) throws IOException {
        if (pending.size() >= PLACES && !makeRoom(now)) {
            accepted.close();
            leader.countRejected(accepted.socket().getInetAddress().getHostAddress(), false, now);
            return;
        }
        try {
            accepted.configureBlocking(false);
            Connection connection = new Connection(context, accepted);
            PendingConnection next = new PendingConnection(connection, now + PATIENCE);
            connection.setListener(next, LONGEST_LINE);
            pending.add(next);
        } catch (IOException e) {
            accepted.close();
            throw e;
        }
    }

    /** Closes pending connections whose time is over. */
    void tick(long now) {
        if (key.isValid() && key.interestOps() == 0 && now - openAgainAt >= 0) {
            key.interestOps(SelectionKey.OP_ACCEPT);
        }
        pending.stream().filter(one -> now - one.deadline >= 0).toList().forEach(one -> dismiss(one, now));
    }

    /** When {@link #tick} is due. */
    OptionalLong due() {
        if (key.isValid() && key.interestOps() == 0) {
            return OptionalLong.of(openAgainAt);
        }
        return pending.stream().limit(1).mapToLong(one -> one.deadline).findFirst();
    }

    /** Closes the oldest pending connection that has not named this job; false: there is none. */
    private boolean makeRoom(long now) {
        Optional<PendingConnection> oldest =
                pending.stream().filter(PendingConnection::isReplaceable).findFirst();
        oldest.ifPresent(one -> dismiss(one, now));
        return oldest.isPresent();
    }

    /** Closes a pending connection. It counts as a stranger only if it has not named this job. */
    private void dismiss(PendingConnection one, long now) {
        if (pending.remove(one)) {
            one.connection.close();
            if (one.isReplaceable()) {
                leader.countRejected(one.connection.address(), false, now);
            }
        }
    }

    void close() {
        try {
            channel.close();
        } catch (IOException e) {
            // The channel accepts nothing more, whatever the error is.
        }
        pending.forEach(one -> one.connection.close());
        pending.clear();
    }

    /** A connection whose other end has not proved yet that it knows the key. */
    private final class PendingConnection implements Connection.Listener {

        private final Connection connection;
        private final Handshake handshake = new Handshake(context.hello(), job);
        private final long deadline;
        private @Nullable Hello member;

        PendingConnection(Connection connection, long deadline) {
            this.connection = connection;
            this.deadline = deadline;
        }

        /** Whether it may be closed for a newer connection: it has not named this job. */
        boolean isReplaceable() {
            return member == null;
        }

        @Override
        public boolean onLine(byte[] line, long now) {
            Handshake.Step step = member == null ? handshake.answer(line) : handshake.proved(line, member);
            if (step instanceof Handshake.Step.Answer answer) {
                member = answer.peer();
                connection.send(answer.line(), now);
                return true;
            }
            if (step instanceof Handshake.Step.Done done) {
                pending.remove(this);
                leader.onAuthenticated(connection, done.peer(), done.session(), now);
                return true;
            }
            reject((Handshake.Step.Failed) step, now);
            return false;
        }

        /** The handshake failed: another key, job, version or protocol. */
        private void reject(Handshake.Step.Failed failed, long now) {
            if (!failed.line().isEmpty()) {
                connection.send(failed.line(), now);
            }
            pending.remove(this);
            connection.close();
            if (failed.why() == Handshake.Why.OTHER_VERSION) {
                leader.onOtherVersion(failed.peer().orElseThrow(), connection.address(), now);
            } else {
                leader.countRejected(connection.address(), failed.why() == Handshake.Why.OTHER_KEY, now);
            }
        }

        @Override
        public void onEnded(String why, Disconnection how, long now) {
            dismiss(this, now);
        }
    }
}
