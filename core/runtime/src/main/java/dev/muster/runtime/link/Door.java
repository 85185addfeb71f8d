package dev.muster.runtime.link;

import dev.muster.runtime.ports.Ports;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.SelectionKey;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** The port on which the leader listens, on all addresses of IPv4 and IPv6. */
final class Door implements Selectable {

    /** The system keeps so many until they are let in; a thousand members may come at once. */
    private static final int BACKLOG = 1024;

    /** Others must have their turn. */
    private static final int AT_ONCE = 64;

    /** How long nobody is let in when the system cannot: it would ask again at once. */
    private static final long REST = TimeUnit.MILLISECONDS.toNanos(200);

    private final ServerSocketChannel channel;
    private final SelectionKey key;
    private final Reception reception;
    private long openAgainAt;

    private Door(ServerSocketChannel channel, SelectionKey key, Reception reception) {
        this.channel = channel;
        this.key = key;
        this.reception = reception;
    }

    /**
     * Listens on the first of the ports that is free.
     *
     * @throws IOException none is free; the message is for users
     */
    static Door open(LinkContext context, Reception reception) throws IOException {
        List<Integer> taken = new ArrayList<>();
        for (int port : context.settings.ports()) {
            ServerSocketChannel channel = ServerSocketChannel.open();
            try {
                // What an earlier leader of this container left behind in the system does not count.
                channel.setOption(StandardSocketOptions.SO_REUSEADDR, true);
                channel.bind(new InetSocketAddress(port), BACKLOG);
                channel.configureBlocking(false);
                SelectionKey key = channel.register(context.selector, SelectionKey.OP_ACCEPT);
                Door door = new Door(channel, key, reception);
                key.attach(door);
                return door;
            } catch (BindException e) {
                channel.close();
                taken.add(port);
            } catch (IOException e) {
                channel.close();
                throw e;
            }
        }
        throw new IOException(problem(taken));
    }

    @Override
    public void ready(long now) {
        try {
            for (int count = 0; count < AT_ONCE; count++) {
                SocketChannel guest = channel.accept();
                if (guest == null) {
                    return;
                }
                reception.receive(guest, now);
            }
        } catch (IOException e) {
            // Most likely there are no descriptors left. Strangers can give theirs back.
            reception.makeRoom(now);
            key.interestOps(0);
            openAgainAt = now + REST;
        }
    }

    void tick(long now) {
        if (key.isValid() && key.interestOps() == 0 && now - openAgainAt >= 0) {
            key.interestOps(SelectionKey.OP_ACCEPT);
        }
    }

    /** When {@link #tick} has something to do. */
    long due(long otherwise) {
        return key.isValid() && key.interestOps() == 0 ? openAgainAt : otherwise;
    }

    void close() {
        try {
            channel.close();
        } catch (IOException e) {
            // Nobody is let in any more, whatever the system says.
        }
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
}
