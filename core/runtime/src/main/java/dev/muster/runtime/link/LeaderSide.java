package dev.muster.runtime.link;

import dev.muster.runtime.errors.ExitCode;
import dev.muster.runtime.json.Json;
import dev.muster.runtime.text.Durations;
import dev.muster.spi.Host;
import dev.muster.spi.LauncherNodes;
import java.io.IOException;
import java.net.InetAddress;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The leader's connections: all members come to it. */
final class LeaderSide implements Side {

    /** How long ports may still be taken by the link of the run before, and how often they are tried. */
    private static final long TO_BE_FREE = TimeUnit.SECONDS.toNanos(10);

    private static final long TRY_AGAIN = TimeUnit.MILLISECONDS.toNanos(50);
    private static final long FAR = TimeUnit.SECONDS.toNanos(60);
    /** Between two looks for the names of hosts whose launchers are missing, and how many at once. */
    private static final long LOOKUP_PAUSE = TimeUnit.SECONDS.toNanos(10);

    private static final int LOOKUPS = 8;

    private final LinkContext context;
    private final Map<String, Host> missing = new LinkedHashMap<>();
    private final Map<String, CompletableFuture<InetAddress[]>> lookups = new HashMap<>();
    private final Map<String, Peer> peers = new HashMap<>();
    private final RejectedConnections rejected = new RejectedConnections();
    private final Set<String> versionsTold = new HashSet<>();
    private final long openedAt;
    private long openAt;
    private long lookupAt;
    private @Nullable Acceptor acceptor;

    LeaderSide(LinkContext context, long now) {
        this.context = context;
        this.openedAt = now;
        this.openAt = now;
        this.lookupAt = now + LOOKUP_PAUSE;
        for (LauncherNodes.Peer peer : context.launchers().all()) {
            if (!peer.name().equals(context.launchers().own())) {
                peer.host().ifPresent(host -> missing.put(peer.name(), host));
            }
        }
    }

    @Override
    public void tick(long now) {
        if (acceptor == null) {
            open(now);
        } else {
            acceptor.tick(now);
        }
        rejected.line(now).ifPresent(context.warn);
        lookUp(now);
    }

    /** Finds out whose hosts have names that do not resolve. */
    private void lookUp(long now) {
        for (String name : Set.copyOf(lookups.keySet())) {
            CompletableFuture<InetAddress[]> lookup = lookups.get(name);
            if (lookup != null && lookup.isDone()) {
                lookups.remove(name);
                if (lookup.join().length == 0 && missing.containsKey(name)) {
                    context.party.disconnected(name, "its name does not resolve", false, now);
                }
            }
        }
        if (now - lookupAt >= 0) {
            lookupAt = now + LOOKUP_PAUSE;
            missing.entrySet().stream()
                    .limit(LOOKUPS)
                    .forEach(one -> lookups.computeIfAbsent(
                            one.getKey(),
                            name -> context.names.addresses(one.getValue().name())));
        }
    }

    @Override
    public long due(long now) {
        long due = now + FAR;
        if (acceptor != null) {
            due = Math.min(due, acceptor.due().orElse(due));
        } else {
            due = Math.min(due, openAt - now > 0 ? openAt : context.keys.due(due));
        }
        return Math.min(Math.min(due, lookupAt), rejected.due().orElse(due));
    }

    @Override
    public @Nullable Peer peer(String name) {
        return peers.get(name);
    }

    @Override
    public Collection<Peer> peers() {
        return peers.values();
    }

    /** It knows the key. */
    void knows(Connection connection, Hello member, Session session, long now) {
        Optional<Rejection> rejection =
                context.party.admit(member.launcher(), member.run(), Optional.of(connection.address()), now);
        if (rejection.isEmpty()) {
            welcome(connection, member, session, now);
        } else {
            connection.send(session.seal(Json.toMap(rejection.get())), now);
            connection.close();
        }
    }

    private void welcome(Connection connection, Hello member, Session session, long now) {
        Peer peer = new Peer(member.launcher(), connection, session, context.party, this, now);
        Peer before = peers.put(peer.name(), peer);
        if (before != null) {
            before.connection().close();
        }
        missing.remove(peer.name());
        connection.change(peer, Peer.LONGEST_LINE);
        context.party.connected(peer.name(), member.run(), now);
    }

    /** It knows the key, but speaks another version of the protocol. */
    void speaksOtherVersion(Hello member, String address, long now) {
        if (versionsTold.add(member.launcher())) {
            String reason = "launcher " + member.launcher() + " at " + address + " speaks version " + member.version()
                    + " of the link, this one version " + Hello.VERSION + ". Install the same Muster on all nodes";
            if (context.settings.required()) {
                context.fail(ExitCode.CONFIGURATION, reason, now);
            } else {
                context.warn.accept(reason);
            }
        }
    }

    /** It is not of this job. */
    void isStranger(String address, boolean hasOtherKey, long now) {
        rejected.count(address, hasOtherKey, now);
    }

    @Override
    public void lost(Peer peer, String why, long now) {
        if (peers.remove(peer.name(), peer)) {
            context.party.disconnected(peer.name(), why, false, now);
        }
    }

    @Override
    public void refused(Peer peer, Rejection rejection, long now) {
        lost(peer, "it sent what only a leader says", now);
    }

    @Override
    public void close() {
        rejected.rest().ifPresent(context.warn);
        if (acceptor != null) {
            acceptor.close();
        }
        peers.values().forEach(peer -> peer.connection().close());
    }

    /** Nobody is listened to before there is a key. */
    private void open(long now) {
        if (context.hasFailed() || now - openAt < 0) {
            return;
        }
        String wrong = context.keys.look(now) ? context.keys.wrong() : null;
        if (wrong != null) {
            context.fail(ExitCode.CONFIGURATION, wrong, now);
            return;
        }
        JobKey key = context.keys.key();
        if (key != null) {
            open(key, now);
        }
    }

    private void open(JobKey key, long now) {
        try {
            acceptor = Acceptor.open(context, key, this);
        } catch (IOException e) {
            String why = String.valueOf(e.getMessage());
            if (now - openedAt >= toBeFree()) {
                context.fail(ExitCode.TEMPORARY, why, now);
                return;
            }
            if (context.settings.run().serial() == 0 && openAt == openedAt) {
                context.warn.accept(
                        why + "; waiting up to " + Durations.format(Duration.ofNanos(toBeFree())) + " for it");
            }
            openAt = now + TRY_AGAIN;
        }
    }

    /**
     * What this launcher itself had in the run before is free soon. A port that was given, with none to fall back on, may be that of a
     * launcher that was killed, which still stops its ranks.
     */
    private long toBeFree() {
        LinkSettings settings = context.settings;
        if (settings.run().serial() > 0) {
            return TO_BE_FREE;
        }
        long grace = settings.grace().toNanos();
        return settings.ports().size() > 1 ? 0 : Math.min(settings.patience().toNanos(), TO_BE_FREE + grace);
    }
}
