package dev.muster.runtime.link;

import dev.muster.spi.Host;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Where the leader may be: all addresses of its host, at all ports of the link. */
final class Endpoints {

    /** Nobody waits longer for a name server when there is another address to try. */
    private static final long PATIENCE = TimeUnit.SECONDS.toNanos(2);

    private final Optional<Host> host;
    private final List<Integer> ports;
    private final Errands errands;
    private final Set<InetAddress> found = new LinkedHashSet<>();
    private @Nullable CompletableFuture<InetAddress[]> lookup;
    private @Nullable InetSocketAddress good;
    private long askedAt;

    Endpoints(Optional<Host> host, List<Integer> ports, Errands errands) {
        this.host = host;
        this.ports = ports;
        this.errands = errands;
    }

    /** Asks for the addresses, unless that is still being asked. */
    void ask(long now) {
        askedAt = now;
        if (lookup == null && host.isPresent()) {
            lookup = errands.addresses(host.get().name());
        }
    }

    /** Whether there is an answer, or no use in waiting for it. */
    boolean isAnswered(long now) {
        return lookup == null || lookup.isDone() || now - due() >= 0;
    }

    /** Until when an answer is waited for. */
    long due() {
        return askedAt + PATIENCE;
    }

    /** The leader was here: this comes first from now on. */
    void isGood(InetSocketAddress place) {
        good = place;
    }

    /** Where it was last; null: it was not reached yet. */
    @Nullable InetSocketAddress good() {
        return good;
    }

    /**
     * What to try now, the likeliest first; empty: the host has no address. One port of all addresses comes before the next port:
     * an address that swallows everything costs seconds.
     */
    List<InetSocketAddress> list() {
        learn();
        Set<InetAddress> addresses = new LinkedHashSet<>(found);
        host.flatMap(Host::address).ifPresent(literal -> addLiteral(literal, addresses));
        Set<InetSocketAddress> places = new LinkedHashSet<>();
        if (good != null) {
            places.add(good);
        }
        for (int port : ports) {
            addresses.forEach(address -> places.add(new InetSocketAddress(address, port)));
        }
        return new ArrayList<>(places);
    }

    private void learn() {
        if (lookup == null || !lookup.isDone()) {
            return;
        }
        InetAddress[] answer =
                lookup.exceptionally(problem -> new InetAddress[0]).join();
        lookup = null;
        found.clear();
        found.addAll(List.of(answer));
    }

    private static void addLiteral(String literal, Set<InetAddress> addresses) {
        try {
            addresses.add(InetAddress.getByName(literal));
        } catch (UnknownHostException e) {
            // Not an address after all; the name is what is left.
        }
    }
}
