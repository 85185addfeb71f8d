package dev.muster.runtime.link;

import dev.muster.spi.Host;
import dev.muster.spi.Launchers;
import java.net.InetAddress;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * What the hosts' names say of the launchers: why one that is not here cannot come, and which one came from an address that is
 * not its host's. The latter happens, since hosts have several addresses, and is worth one line.
 */
final class Origins {

    private static final long PAUSE = TimeUnit.SECONDS.toNanos(10);

    /** The name server has others to serve. */
    private static final int AT_ONCE = 8;

    private final LinkContext context;
    private final Map<String, Optional<Host>> hosts = new HashMap<>();
    private final Map<String, CompletableFuture<InetAddress[]>> lookups = new HashMap<>();

    /** Launchers whose name is being asked for, and the address that they came from; empty: they have not come. */
    private final Map<String, Optional<InetAddress>> asked = new HashMap<>();

    private final Set<String> elsewhere = new HashSet<>();
    private String lastElsewhere = "";
    private int told;
    private long due;

    Origins(LinkContext context, long now) {
        this.context = context;
        for (Launchers.Peer peer : context.launchers().all()) {
            hosts.put(peer.name(), peer.host());
        }
        due = now + PAUSE;
    }

    /** A launcher has come from this address. */
    void came(String launcher, InetAddress address) {
        boolean isKnown = address.isLoopbackAddress()
                || hosts.values().stream()
                        .flatMap(host -> host.flatMap(Host::address).stream())
                        .anyMatch(address.getHostAddress()::equals);
        if (!isKnown && lookups.size() < AT_ONCE) {
            ask(launcher, Optional.of(address));
        }
    }

    /**
     * Takes answers, and now and then asks for more.
     *
     * @param missing who is not here
     */
    void tick(Set<String> missing, long now) {
        Map.copyOf(lookups).forEach((launcher, lookup) -> {
            if (lookup.isDone()) {
                lookups.remove(launcher);
                learn(launcher, lookup, missing, now);
            }
        });
        if (now - due < 0) {
            return;
        }
        due = now + PAUSE;
        missing.stream().limit(AT_ONCE).forEach(launcher -> ask(launcher, Optional.empty()));
        if (elsewhere.size() > told) {
            told = elsewhere.size();
            context.warn.accept(elsewhere.size()
                    + (elsewhere.size() == 1 ? " launcher of this job came" : " launchers of this job came")
                    + " from an address that is not its host's (last: " + lastElsewhere
                    + "); it knows the key, so its host may have several addresses");
        }
    }

    /** When {@link #tick} has something to do even if nothing happens. */
    long due() {
        return due;
    }

    private void ask(String launcher, Optional<InetAddress> from) {
        Optional<Host> host = hosts.getOrDefault(launcher, Optional.empty());
        if (host.isPresent() && !lookups.containsKey(launcher)) {
            asked.put(launcher, from);
            lookups.put(launcher, context.errands.addresses(host.get().name()));
        }
    }

    private void learn(String launcher, CompletableFuture<InetAddress[]> lookup, Set<String> missing, long now) {
        InetAddress[] addresses =
                lookup.exceptionally(problem -> new InetAddress[0]).join();
        Optional<InetAddress> from = asked.getOrDefault(launcher, Optional.empty());
        if (addresses.length == 0 && missing.contains(launcher)) {
            context.party.disconnected(launcher, "its name does not resolve", false, now);
        }
        if (addresses.length > 0 && from.isPresent() && !List.of(addresses).contains(from.get())) {
            elsewhere.add(launcher);
            lastElsewhere = launcher + " from " + from.get().getHostAddress();
        }
    }
}
