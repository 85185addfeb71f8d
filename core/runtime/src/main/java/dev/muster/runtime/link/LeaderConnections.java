package dev.muster.runtime.link;

import dev.muster.runtime.errors.ExitCode;
import dev.muster.runtime.json.Json;
import dev.muster.runtime.text.Durations;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The leader's connections: all members connect to it. */
final class LeaderConnections implements Connections {

    /** How long the link of the attempt before may still hold the ports, and how often to try them. */
    private static final Duration PORT_TIMEOUT = Duration.ofSeconds(10);

    private static final long TRY_AGAIN = TimeUnit.MILLISECONDS.toNanos(50);
    /** The pause before the log reports connections that are not of this job. It grows from the first to the longest. */
    private static final long FIRST_PAUSE = TimeUnit.SECONDS.toNanos(10);

    private static final long LONGEST_PAUSE = TimeUnit.MINUTES.toNanos(10);

    private final LinkContext context;
    private final Map<String, Peer> peers = new HashMap<>();
    private final Set<String> versionsTold = new HashSet<>();
    private final long openedAt;
    private long openAt;
    private @Nullable Acceptor acceptor;
    /** Connections that are not of this job and are not reported yet. */
    private long rejected;

    private long withOtherKey;
    private String lastRejected = "";
    private long pause = FIRST_PAUSE;
    private OptionalLong tellAt = OptionalLong.empty();

    LeaderConnections(LinkContext context, long now) {
        this.context = context;
        this.openedAt = now;
        this.openAt = now;
    }

    @Override
    public void tick(long now) {
        if (acceptor == null) {
            open(now);
        } else {
            acceptor.tick(now);
        }
        if (tellAt.isPresent() && now - tellAt.getAsLong() >= 0) {
            reportRejected();
        }
    }

    @Override
    public long due(long now) {
        long due = now + FAR;
        if (acceptor != null) {
            due = Math.min(due, acceptor.due().orElse(due));
        } else {
            due = Math.min(due, openAt - now > 0 || context.key(now) != null ? openAt : context.keyDue());
        }
        return Math.min(due, tellAt.orElse(due));
    }

    @Override
    public Map<String, Peer> peers() {
        return peers;
    }

    /** The other side has proved that it knows the key. */
    void onAuthenticated(Connection connection, Hello member, Session session, long now) {
        Optional<Rejection> rejection =
                context.party.admit(member.launcher(), member.run(), Optional.of(connection.address()), now);
        if (rejection.isEmpty()) {
            accept(connection, member, session, now);
        } else {
            connection.send(session.seal(Json.toMap(rejection.get())), now);
            connection.close();
        }
    }

    private void accept(Connection connection, Hello member, Session session, long now) {
        Peer peer = new Peer(member.launcher(), connection, session, context.party, this, now);
        Peer before = peers.put(peer.name(), peer);
        if (before != null) {
            before.connection().close();
        }
        connection.setListener(peer, Peer.LONGEST_LINE);
        context.party.onConnected(peer.name(), member.run(), now);
    }

    /** The other side knows the key, but speaks another version of the protocol. */
    void onOtherVersion(Hello member, String address, long now) {
        if (versionsTold.add(member.launcher())) {
            String reason = "launcher " + member.launcher() + " at " + address + " speaks version " + member.version()
                    + " of the link, this one version " + Hello.VERSION + ". Install the same Muster on all nodes";
            if (context.settings.required()) {
                context.fail(ExitCode.CONFIGURATION, reason, now);
            } else {
                context.log.warn(reason);
            }
        }
    }

    /**
     * Counts a connection that is not of this job. Its content reaches no log, and the log stays short however many there are.
     *
     * @param hasOtherKey whether it named this job but had another key
     */
    void countRejected(String address, boolean hasOtherKey, long now) {
        rejected++;
        withOtherKey += hasOtherKey ? 1 : 0;
        lastRejected = address;
        if (tellAt.isEmpty()) {
            tellAt = OptionalLong.of(now + pause);
        }
    }

    private void reportRejected() {
        boolean isOne = rejected == 1;
        context.log.warn((isOne ? "1 connection" : rejected + " connections") + " to the link's port that "
                + (isOne ? "is" : "are") + " not of this job " + (isOne ? "was" : "were") + " refused (last from "
                + lastRejected + ")"
                + (withOtherKey == 0
                        ? ""
                        : "; " + withOtherKey + " of them named this job and had another key (--link-secret must be the"
                                + " same on all nodes)"));
        rejected = 0;
        withOtherKey = 0;
        tellAt = OptionalLong.empty();
        pause = Math.min(LONGEST_PAUSE, pause * 2);
    }

    @Override
    public void onLost(Peer peer, String why, Disconnection how, long now) {
        if (peers.remove(peer.name(), peer)) {
            context.party.onDisconnected(peer.name(), why, how, now);
        }
    }

    @Override
    public void onRefused(Peer peer, Rejection rejection, long now) {
        onLost(peer, "it sent what only a leader says", Disconnection.SILENCE, now);
    }

    @Override
    public void close() {
        if (rejected > 0) {
            reportRejected();
        }
        if (acceptor != null) {
            acceptor.close();
        }
        peers.values().forEach(peer -> peer.connection().close());
    }

    /** The port opens only when the key is there. */
    private void open(long now) {
        JobKey key = context.hasFailed() || now - openAt < 0 ? null : context.key(now);
        if (key == null) {
            return;
        }
        try {
            acceptor = Acceptor.open(context, key, this);
        } catch (IOException e) {
            String why = String.valueOf(e.getMessage());
            Duration patience = portTimeout();
            if (now - openedAt >= patience.toNanos()) {
                context.fail(ExitCode.TEMPORARY, why, now);
                return;
            }
            if (context.settings.run().serial() == 0 && openAt == openedAt) {
                context.log.warn(why + "; waiting up to " + Durations.format(patience) + " for it");
            }
            openAt = now + TRY_AGAIN;
        }
    }

    /**
     * How long to wait for the ports. Ports of this launcher's attempt before are free soon. A killed launcher, which still stops its
     * ranks, may hold them for its grace.
     */
    private Duration portTimeout() {
        LinkSettings settings = context.settings;
        Duration most = PORT_TIMEOUT.plus(settings.run().serial() > 0 ? Duration.ZERO : settings.grace());
        return most.compareTo(settings.patience()) < 0 ? most : settings.patience();
    }
}
