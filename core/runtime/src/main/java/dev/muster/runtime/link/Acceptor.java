package dev.muster.runtime.link;

import dev.muster.runtime.ports.Ports;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.SelectionKey;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Listens on the leader's port, and keeps connections until they have proved to know the key: a few seconds, a few bytes, a few
 * places. Who has many places gives one to whoever comes next, so strangers on one host cannot keep members of others out.
 */
final class Acceptor implements Selectable {

    static final int PLACES = 256;
    static final long PATIENCE = TimeUnit.SECONDS.toNanos(5);
    static final int LONGEST_LINE = 2 * 1024;

    /** The system keeps so many until they are let in; a thousand members may come at once. */
    private static final int BACKLOG = 1024;
    /** Others must have their turn. */
    private static final int AT_ONCE = 64;
    /** How long nobody is let in when the system cannot: it would ask again at once. */
    private static final long REST = TimeUnit.MILLISECONDS.toNanos(200);

    /** Who is told what becomes of connections. */
    interface Desk {

        /** It knows the key. */
        void knows(Connection connection, Hello member, Session session, long now);

        /** It knows the key, but speaks another version of the protocol. */
        void speaksOtherVersion(Hello member, String address, long now);

        /** It is not of this job. */
        void isStranger(String address, boolean hasOtherKey, long now);
    }

    private final LinkContext context;
    private final JobKey job;
    private final Desk desk;
    private final ServerSocketChannel channel;
    private final SelectionKey key;
    private final BlockingCalls sealer;
    /** The oldest first. */
    private final Map<PendingConnection, Connection> pending = new LinkedHashMap<>();

    private boolean hasToldOfMunge;
    private long openAgainAt;

    private Acceptor(LinkContext context, JobKey job, Desk desk, ServerSocketChannel channel) throws IOException {
        this.context = context;
        this.job = job;
        this.desk = desk;
        this.channel = channel;
        channel.configureBlocking(false);
        key = channel.register(context.selector, SelectionKey.OP_ACCEPT, this);
        sealer = new BlockingCalls(context.selector::wakeup);
    }

    /**
     * Listens on the first of the ports that is free, on all addresses of IPv4 and IPv6.
     *
     * @throws IOException none is free; the message is for users
     */
    static Acceptor open(LinkContext context, JobKey job, Desk desk) throws IOException {
        for (int port : context.settings.ports()) {
            ServerSocketChannel channel = ServerSocketChannel.open();
            try {
                // What an earlier leader of this container left behind in the system does not count.
                channel.setOption(StandardSocketOptions.SO_REUSEADDR, true);
                channel.bind(new InetSocketAddress(port), BACKLOG);
                return new Acceptor(context, job, desk, channel);
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
        return "the leader's end of the link has no port: " + (taken.size() == 1 ? "port " : "ports ") + ports
                + (taken.size() == 1 ? " is" : " are") + " taken" + (owners.isEmpty() ? "" : " (" + owners + ")")
                + ". Give all nodes another port with --link-port";
    }

    @Override
    public void ready(long now) {
        try {
            for (int count = 0; count < AT_ONCE; count++) {
                SocketChannel accepted = channel.accept();
                if (accepted == null) {
                    return;
                }
                receive(accepted, now);
            }
        } catch (IOException e) {
            // Most likely there are no descriptors left. Strangers can give theirs back.
            makeRoom(now);
            key.interestOps(0);
            openAgainAt = now + REST;
        }
    }

    private void receive(SocketChannel accepted, long now) throws IOException {
        String address = accepted.socket().getInetAddress().getHostAddress();
        if (pending.size() >= PLACES && !makeRoom(now)) {
            accepted.close();
            desk.isStranger(address, false, now);
            return;
        }
        PendingConnection next =
                new PendingConnection(this, new Handshake(context.hello(), job), address, now + PATIENCE);
        try {
            accepted.configureBlocking(false);
            Connection connection = new Connection(context, accepted, LONGEST_LINE);
            connection.change(next, LONGEST_LINE);
            pending.put(next, connection);
        } catch (IOException e) {
            accepted.close();
            throw e;
        }
    }

    boolean hasMunge() {
        return context.keys.hasMunge();
    }

    /** Seals the key for one that asks for it; null: it does not come that way. */
    @Nullable CompletableFuture<String> seal(PendingConnection asker, Hello member) {
        Connection connection = pending.get(asker);
        boolean isOfJob = member.job().equals(context.hello().job());
        return connection == null || !hasMunge() || !isOfJob ? null : context.keys.sealed(connection, member, sealer);
    }

    /** A line has led to this; false: the connection is not its own any more. */
    boolean heard(PendingConnection one, Handshake.Step step, long now) {
        Connection connection = pending.get(one);
        if (connection == null) {
            return false;
        }
        if (step instanceof Handshake.Step.Answer answer) {
            connection.send(answer.line(), now);
            return true;
        }
        pending.remove(one);
        if (step instanceof Handshake.Step.Done done) {
            desk.knows(connection, done.peer(), done.session(), now);
            return true;
        }
        reject(connection, (Handshake.Step.Failed) step, now);
        return false;
    }

    private void reject(Connection connection, Handshake.Step.Failed failed, long now) {
        if (!failed.line().isEmpty()) {
            connection.send(failed.line(), now);
        }
        connection.close();
        if (failed.why() == Handshake.Why.OTHER_VERSION) {
            desk.speaksOtherVersion(failed.peer().orElseThrow(), connection.address(), now);
        } else {
            desk.isStranger(connection.address(), failed.why() == Handshake.Why.OTHER_KEY, now);
        }
    }

    /** Answers who has asked for the key, and sends those away who have said nothing for too long. */
    void tick(long now) {
        if (key.isValid() && key.interestOps() == 0 && now - openAgainAt >= 0) {
            key.interestOps(SelectionKey.OP_ACCEPT);
        }
        for (PendingConnection one : List.copyOf(pending.keySet())) {
            Connection connection = pending.get(one);
            if (now - one.deadline >= 0) {
                dismiss(one, now);
            } else if (connection != null) {
                one.answer(connection, this::cannotSeal, now);
            }
        }
    }

    private void cannotSeal(String why) {
        if (!hasToldOfMunge) {
            hasToldOfMunge = true;
            context.warn.accept("launchers cannot be given the key of the job's link: " + why
                    + ". Give --link-secret, the same on all nodes");
        }
    }

    /** When {@link #tick} has something to do. */
    OptionalLong due() {
        if (key.isValid() && key.interestOps() == 0) {
            return OptionalLong.of(openAgainAt);
        }
        return pending.keySet().stream().limit(1).mapToLong(one -> one.deadline).findFirst();
    }

    /** Somebody who can be spared goes: the oldest of the address that has most. */
    private boolean makeRoom(long now) {
        Map<String, List<PendingConnection>> byAddress = pending.keySet().stream()
                .filter(PendingConnection::givesWay)
                .collect(Collectors.groupingBy(one -> one.address, LinkedHashMap::new, Collectors.toList()));
        Optional<List<PendingConnection>> most =
                byAddress.values().stream().max((one, other) -> Integer.compare(one.size(), other.size()));
        most.ifPresent(ofOne -> dismiss(ofOne.get(0), now));
        return most.isPresent();
    }

    /** A member that tried again meanwhile is no stranger. */
    void dismiss(PendingConnection one, long now) {
        Connection connection = pending.remove(one);
        if (connection != null) {
            connection.close();
            if (one.givesWay()) {
                desk.isStranger(one.address, false, now);
            }
        }
    }

    void close() {
        try {
            channel.close();
        } catch (IOException e) {
            // Nobody is let in any more, whatever the system says.
        }
        sealer.close();
        pending.values().forEach(Connection::close);
        pending.clear();
    }
}
