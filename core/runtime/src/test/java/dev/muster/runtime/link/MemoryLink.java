package dev.muster.runtime.link;

import dev.muster.spi.Host;
import dev.muster.spi.LauncherNodes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The link of one launcher in a {@link MemoryNetwork}. */
public final class MemoryLink implements Link {

    private static final long RETRY = TimeUnit.MILLISECONDS.toNanos(200);
    private static final long TIMEOUT = TimeUnit.SECONDS.toNanos(2);
    /** A launcher closes a connection after this time without data. */
    private static final long SILENCE = TimeUnit.SECONDS.toNanos(10);

    private static final long FLUSH = TimeUnit.SECONDS.toNanos(20);

    private final MemoryNetwork network;
    private final LinkSettings settings;
    private final String run;
    private final String host;
    private final long clockAhead;
    private final Party party;
    private final List<MemoryWire> wires = new ArrayList<>();
    private final List<LinkEvent> unheard = new ArrayList<>();
    private final List<String> lines = new ArrayList<>();
    private Consumer<LinkEvent> listener = unheard::add;
    private boolean isAlive = true;
    private boolean isCutOff;
    private long frozenUntil;
    private OptionalLong connectedAt = OptionalLong.empty();
    private long wakesAt = Long.MAX_VALUE;

    MemoryLink(MemoryNetwork network, LinkSettings settings, String run, String host, long clockAhead) {
        this.network = network;
        this.settings = settings;
        this.run = run;
        this.host = host;
        this.clockAhead = clockAhead;
        LinkLog log = new LinkLog(lines::add, lines::add);
        party = settings.launchers().leads() ? new Leader(settings, log, clock()) : new Member(settings, log, clock());
    }

    void open() {
        if (!leads()) {
            network.after(network.delay(), this::connect);
        }
        pump();
    }

    String name() {
        return settings.launchers().own();
    }

    String hostName() {
        return host;
    }

    public boolean isAlive() {
        return isAlive;
    }

    /** When this launcher had its first connection. */
    public OptionalLong connectedAt() {
        return connectedAt;
    }

    List<String> lines() {
        return lines;
    }

    /** This launcher's {@link System#nanoTime()}. */
    public long clock() {
        return network.now() + clockAhead;
    }

    private void connect() {
        @Nullable MemoryLink leader = network.leader(settings.launchers().leading().host().map(Host::name));
        if (!isAlive || !wires.isEmpty()) {
            return;
        }
        if (isCutOff || (leader != null && leader.isCutOff)) {
            network.after(TIMEOUT, () -> failed("no answer", Disconnection.SILENCE));
        } else if (leader == null || !leader.isAlive) {
            network.after(network.delay(), () -> failed("connection refused", Disconnection.NOBODY));
        } else {
            network.after(network.delay(), () -> introduce(leader));
        }
    }

    private void failed(String why, Disconnection how) {
        if (isAlive && wires.isEmpty()) {
            party.onDisconnected(settings.launchers().leader(), why, how, clock());
            pump();
            network.after(RETRY, this::connect);
        }
    }

    private void introduce(MemoryLink leader) {
        if (!isAlive || !wires.isEmpty()) {
            return;
        }
        if (isFrozen()) {
            network.at(frozenUntil, () -> introduce(leader));
            return;
        }
        if (!leader.isAlive || isCutOff || leader.isCutOff || leader.isFrozen()) {
            failed("no answer", Disconnection.SILENCE);
            return;
        }
        if (party.admit(leader.name(), leader.run, Optional.of(leader.host), clock())
                .isPresent()) {
            failed("another run", Disconnection.REFUSED);
            return;
        }
        Optional<Rejection> rejection = leader.party.admit(name(), run, Optional.of(host), leader.clock());
        if (rejection.isPresent()) {
            rejection.get().end().ifPresent(end -> party.endJob(end, clock()));
            failed(rejection.get().refused(), Disconnection.REFUSED);
        } else {
            connected(leader);
        }
        leader.pump();
    }

    private void connected(MemoryLink leader) {
        List.copyOf(leader.wires).stream()
                .filter(old -> old.member().name().equals(name()))
                .forEach(old -> {
                    old.cut();
                    leader.wires.remove(old);
                });
        MemoryWire wire = new MemoryWire(this, leader);
        connectedAt = OptionalLong.of(connectedAt.orElse(network.now()));
        wires.add(wire);
        leader.wires.add(wire);
        party.onConnected(leader.name(), leader.run, clock());
        leader.party.onConnected(name(), run, leader.clock());
        pump();
    }

    /** Breaks the connections. Each side notices it some time later. */
    public void breakConnection() {
        for (MemoryWire wire : List.copyOf(wires)) {
            wire.cut();
            network.after(network.delay(), () -> wire.member().broken(wire, Disconnection.CLOSED));
            network.after(network.delay(), () -> wire.leader().broken(wire, Disconnection.CLOSED));
        }
    }

    private void broken(MemoryWire wire, Disconnection how) {
        if (isFrozen()) {
            network.at(frozenUntil, () -> broken(wire, how));
        } else if (isAlive && wires.remove(wire)) {
            party.onDisconnected(wire.other(this).name(), "connection closed", how, clock());
            pump();
            if (!leads()) {
                connect();
            }
        }
    }

    /** Kills the launcher. Its host stays and closes the connections. */
    public void kill() {
        isAlive = false;
        for (MemoryWire wire : List.copyOf(wires)) {
            wire.cut();
            MemoryLink other = wire.other(this);
            boolean isTold = !isCutOff && !other.isCutOff;
            Disconnection how = isTold ? Disconnection.CLOSED : Disconnection.SILENCE;
            network.after(isTold ? network.delay() : SILENCE, () -> other.broken(wire, how));
        }
        wires.clear();
    }

    /** Suspends the launcher for so long. Messages to it wait. */
    void freeze(long nanos) {
        frozenUntil = network.now() + nanos;
    }

    private boolean isFrozen() {
        return network.now() < frozenUntil;
    }

    /** Cuts this launcher off the network, in both directions. */
    public void cutOff() {
        isCutOff = true;
    }

    /** Connects this launcher to the network again. */
    public void reconnectNetwork() {
        isCutOff = false;
        breakConnection();
    }

    private void pump() {
        if (!isAlive) {
            return;
        }
        for (String peer : party.toSend(clock())) {
            send(peer);
        }
        party.drainEvents().forEach(listener);
        long time = Math.max(network.now() + 1, party.nextCheck(clock()) - clockAhead);
        if (time < wakesAt || wakesAt <= network.now()) {
            wakesAt = time;
            network.at(time, () -> wake(time));
        }
    }

    private void wake(long time) {
        if (isFrozen()) {
            network.at(frozenUntil, () -> wake(time));
        } else if (isAlive && wakesAt == time) {
            wakesAt = Long.MAX_VALUE;
            party.check(clock());
            pump();
        }
    }

    private void send(String peer) {
        Channel.Batch batch = party.next(peer, clock());
        for (MemoryWire wire : wires) {
            if (wire.other(this).name().equals(peer)) {
                MemoryLink other = wire.other(this);
                network.at(
                        wire.arrival(this, network.now() + network.delay()), () -> other.received(wire, name(), batch));
            }
        }
    }

    private void received(MemoryWire wire, String peer, Channel.Batch batch) {
        if (isFrozen()) {
            network.at(frozenUntil, () -> received(wire, peer, batch));
        } else if (isAlive && wire.isUp() && !isCutOff && !wire.other(this).isCutOff && wires.contains(wire)) {
            party.onReceived(peer, batch, clock());
            pump();
        }
    }

    @Override
    public void send(LocalEvent said) {
        if (isAlive) {
            party.onLocalEvent(said, clock());
            pump();
        }
    }

    @Override
    public void listen(Consumer<LinkEvent> newListener) {
        listener = newListener;
        List<LinkEvent> before = List.copyOf(unheard);
        unheard.clear();
        before.forEach(newListener);
    }

    @Override
    public Optional<LauncherNodes> launchers() {
        return Optional.of(settings.launchers());
    }

    @Override
    public LinkReport report() {
        return party.report();
    }

    /** Retries until the peers have confirmed all messages: this network loses messages when a connection breaks. */
    @Override
    public void close() {
        long deadline = network.now() + FLUSH;
        network.after(RETRY, () -> closeWhenSeen(deadline));
    }

    private void closeWhenSeen(long deadline) {
        if ((party.isAllConfirmed() && !isReconnecting()) || network.now() >= deadline) {
            kill();
        } else {
            network.after(RETRY, () -> closeWhenSeen(deadline));
        }
    }

    private boolean isReconnecting() {
        return !leads() && wires.isEmpty();
    }
}
