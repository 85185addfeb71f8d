package dev.muster.spi;

import java.util.AbstractList;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.RandomAccess;

/**
 * The launchers of a job, all called differently. They are checked once: the plans of all nodes of a job have the same ones, and there
 * may be ten thousand.
 */
final class Peers extends AbstractList<Launchers.Peer> implements RandomAccess {

    /** Every node of a job has the same list of hosts. */
    private static volatile OnHosts last = new OnHosts(List.of(), of(List.of()));

    private final List<Launchers.Peer> inOrder;
    private final Map<String, Launchers.Peer> byName;

    private Peers(List<Launchers.Peer> inOrder, Map<String, Launchers.Peer> byName) {
        this.inOrder = inOrder;
        this.byName = byName;
    }

    /** @throws IllegalArgumentException when two have the same name */
    static Peers of(List<Launchers.Peer> peers) {
        if (peers instanceof Peers known) {
            return known;
        }
        List<Launchers.Peer> inOrder = List.copyOf(peers);
        Map<String, Launchers.Peer> byName = new HashMap<>();
        for (Launchers.Peer peer : inOrder) {
            if (byName.put(peer.name(), peer) != null) {
                throw new IllegalArgumentException("two launchers are called " + peer.name());
            }
        }
        return new Peers(inOrder, byName);
    }

    /** One on each host, called after its node. */
    @SuppressWarnings("ReferenceEquality") // To compare two lists takes as long as to make one.
    static Peers on(List<Host> hosts) {
        OnHosts known = last;
        if (known.hosts() == hosts) {
            return known.peers();
        }
        List<Launchers.Peer> peers = new ArrayList<>(hosts.size());
        for (Host host : hosts) {
            peers.add(new Launchers.Peer(Launchers.ofNode(peers.size()), Optional.of(host)));
        }
        List<Host> unchanging = List.copyOf(hosts);
        Peers made = of(peers);
        if (unchanging == hosts) {
            last = new OnHosts(hosts, made);
        }
        return made;
    }

    boolean has(String name) {
        return byName.containsKey(name);
    }

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

    private record OnHosts(List<Host> hosts, Peers peers) {}
}
