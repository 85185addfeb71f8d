package dev.muster.runtime.link;

import dev.muster.runtime.errors.ExitCode;
import dev.muster.runtime.link.LeaderConnector.Outcome;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A member's only connection: to its leader. It is tried again until it succeeds. */
final class MemberConnection implements Connections {

    /** Short, since a member that starts together with its leader is often a moment too early. */
    private static final long FIRST_PAUSE = TimeUnit.MILLISECONDS.toNanos(20);

    private static final int FIRST_PATIENCE_MILLIS = 1000;
    private static final long LONGEST_PAUSE = TimeUnit.SECONDS.toNanos(1);
    /** After this silence the connection is made again. A beat comes every second. */
    private static final long LONGEST_SILENCE = TimeUnit.SECONDS.toNanos(10);

    private final LinkContext context;
    private final String name;
    private final long silence;
    private @Nullable Peer leader;
    private @Nullable CompletableFuture<Outcome> connecting;
    private @Nullable InetSocketAddress good;

    private boolean isKeyReported;
    private String missing = "";
    /** Short at first, since a failed member waits only two seconds for its leader. It grows, since the leader may be slow. */
    private int patienceMillis = FIRST_PATIENCE_MILLIS;
    /** The pause before the next try. It grows with each failure or rejection. */
    private long pause = FIRST_PAUSE;

    private long due;

    MemberConnection(LinkContext context, long now) {
        this.context = context;
        this.name = context.settings.launchers().leader();
        this.due = now;
        this.silence = Math.min(LONGEST_SILENCE, context.settings.lostAfter().toNanos() / 3);
    }

    @Override
    public void tick(long now) {
        Peer connected = leader;
        CompletableFuture<Outcome> outcome = connecting;
        if (connected != null) {
            watch(connected, now);
        } else if (outcome != null && outcome.isDone()) {
            connecting = null;
            onConnectResult(outcome, now);
        } else if (outcome == null && hasKey(now) && !context.hasFailed() && now - due >= 0) {
            JobKey key = Objects.requireNonNull(context.key(now));
            connecting = CompletableFuture.supplyAsync(
                    () -> new LeaderConnector(context, key, good, patienceMillis).connect(), context.connecting);
            CompletableFuture<?> unused = connecting.whenComplete((made, broken) -> context.selector.wakeup());
        }
    }

    /**
     * After a long network outage the kernel takes up to a minute to retransmit. A device on the way may have forgotten the connection. So
     * a silent connection is made again.
     */
    private void watch(Peer connected, long now) {
        if (now - connected.heardAt() >= silence) {
            connected.connection().close();
            onLost(connected, "nothing was heard of it", Disconnection.SILENCE, now);
        }
    }

    private boolean hasKey(long now) {
        if (context.key(now) != null) {
            return true;
        }
        if (!context.keyMissing().equals(missing)) {
            missing = context.keyMissing();
            context.party.onDisconnected(name, missing, Disconnection.SILENCE, now);
        }
        return false;
    }

    @Override
    public long due(long now) {
        if (leader != null) {
            return leader.heardAt() + silence;
        }
        if (context.hasFailed() || connecting != null) {
            return now + FAR;
        }
        return context.key(now) == null ? context.keyDue() : due;
    }

    @Override
    public Map<String, Peer> peers() {
        return leader == null ? Map.of() : Map.of(name, leader);
    }

    /** Handles the result of a try. An unexpected exception ends the link. */
    private void onConnectResult(CompletableFuture<Outcome> attempt, long now) {
        Outcome outcome = attempt.join();
        if (outcome instanceof Outcome.Reached reached) {
            onReached(reached, now);
        } else if (outcome instanceof Outcome.OtherVersion other) {
            context.fail(ExitCode.CONFIGURATION, other.problem(), now);
        } else {
            Outcome.NotReached not = (Outcome.NotReached) outcome;
            if (!not.otherKey().isEmpty() && !isKeyReported) {
                isKeyReported = true;
                context.log.warn(not.otherKey());
            }
            onNotReached(not.why(), not.how(), now);
        }
    }

    private void onNotReached(String why, Disconnection how, long now) {
        due = now + pause;
        pause = Math.min(LONGEST_PAUSE, pause + pause / 2);
        patienceMillis = Math.min(LeaderConnector.TO_ANSWER_MILLIS, patienceMillis + patienceMillis / 4);
        context.party.onDisconnected(name, why, how, now);
    }

    private void onReached(Outcome.Reached reached, long now) {
        String run = reached.done().peer().run();
        String host = reached.place().getAddress().getHostAddress();
        Optional<Rejection> rejection = context.party.admit(name, run, Optional.of(host), now);
        if (rejection.isPresent()) {
            Connection.close(reached.channel());
            onNotReached(rejection.get().refused(), Disconnection.REFUSED, now);
            return;
        }
        try {
            connect(reached, run, now);
        } catch (IOException broken) {
            Connection.close(reached.channel());
            onNotReached(Connection.words(broken), Disconnection.SILENCE, now);
        }
    }

    private void connect(Outcome.Reached reached, String run, long now) throws IOException {
        reached.channel().configureBlocking(false);
        Connection connection = new Connection(context, reached.channel());
        Peer peer = new Peer(name, connection, reached.done().session(), context.party, this, now);
        connection.setListener(peer, Peer.LONGEST_LINE);
        leader = peer;
        good = reached.place();
        connection.send(reached.done().line(), now);
        if (!connection.isClosed()) {
            context.party.onConnected(name, run, now);
        }
    }

    @Override
    public void onLost(Peer peer, String why, Disconnection how, long now) {
        if (leader == peer) {
            leader = null;
            due = now;
            pause = FIRST_PAUSE;
            context.party.onDisconnected(name, why, how, now);
        }
    }

    @Override
    public void onRefused(Peer peer, Rejection rejection, long now) {
        leader = null;
        onNotReached(rejection.refused(), Disconnection.REFUSED, now);
        rejection.end().ifPresent(end -> context.party.endJob(end, now));
    }

    @Override
    public void close() {
        if (leader != null) {
            leader.connection().close();
        }
        if (connecting != null) {
            CompletableFuture<?> unused = connecting.thenAccept(outcome -> {
                if (outcome instanceof Outcome.Reached reached) {
                    Connection.close(reached.channel());
                }
            });
        }
    }
}
