package dev.muster.spi;

import java.util.AbstractList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.RandomAccess;
import java.util.function.IntFunction;

/**
 * The launchers of a job, all called differently. They are checked once: the plans of all nodes of a job have the same ones, and there
 * may be ten thousand.
 */
abstract sealed class Peers extends AbstractList<Launchers.Peer> implements RandomAccess {

    /** Every node of a job has the same list of hosts. */
    private static volatile OnHosts last = new OnHosts(List.of());

    /** @throws IllegalArgumentException when two have the same name */
    static Peers of(List<Launchers.Peer> peers) {
        return peers instanceof Peers known ? known : new Named(List.copyOf(peers));
    }

    /** One on each host, called after its node. */
    @SuppressWarnings("ReferenceEquality") // To compare two lists takes as long as to make one.
    static Peers on(List<Host> hosts) {
        OnHosts known = last;
        if (known.hosts == hosts) {
            return known;
        }
        OnHosts made = new OnHosts(List.copyOf(hosts));
        if (made.hosts == hosts) {
            last = made;
        }
        return made;
    }

    /** The same for hosts that come to be when they are asked for. */
    static Peers on(int count, IntFunction<Host> host) {
        return new OnHosts(new Asked(count, host));
    }

    boolean has(String name) {
        return named(name).isPresent();
    }

    abstract Optional<Launchers.Peer> named(String name);

    /** Launchers of any names. */
    private static final class Named extends Peers {

        private final List<Launchers.Peer> inOrder;
        private final Map<String, Launchers.Peer> byName = new HashMap<>();

        Named(List<Launchers.Peer> inOrder) {
            this.inOrder = inOrder;
            for (Launchers.Peer peer : inOrder) {
                if (byName.put(peer.name(), peer) != null) {
                    throw new IllegalArgumentException("two launchers are called " + peer.name());
                }
            }
        }

        @Override
        Optional<Launchers.Peer> named(String name) {
            return Optional.ofNullable(byName.get(name));
        }

        @Override
        public Launchers.Peer get(int index) {
            return inOrder.get(index);
        }

        @Override
        public int size() {
            return inOrder.size();
        }
    }

    /** Launchers whose names are their places; who starts one of ten thousand nodes asks for few of them. */
    private static final class OnHosts extends Peers {

        private final List<Host> hosts;

        OnHosts(List<Host> hosts) {
            this.hosts = hosts;
        }

        @Override
        Optional<Launchers.Peer> named(String name) {
            int index = Launchers.indexOf(name, hosts.size());
            return index < 0 ? Optional.empty() : Optional.of(get(index));
        }

        @Override
        public Launchers.Peer get(int index) {
            return new Launchers.Peer(Launchers.ofNode(index), Optional.of(hosts.get(index)));
        }

        @Override
        public int size() {
            return hosts.size();
        }
    }

    /** Hosts that nobody keeps. */
    private static final class Asked extends AbstractList<Host> implements RandomAccess {

        private final int size;
        private final IntFunction<Host> host;

        Asked(int size, IntFunction<Host> host) {
            this.size = size;
            this.host = host;
        }

        @Override
        public Host get(int index) {
            return host.apply(Objects.checkIndex(index, size));
        }

        @Override
        public int size() {
            return size;
        }
    }
}
