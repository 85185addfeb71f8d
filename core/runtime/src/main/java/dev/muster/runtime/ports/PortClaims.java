package dev.muster.runtime.ports;

import dev.muster.runtime.errors.ExitCode;
import dev.muster.runtime.errors.MusterException;
import dev.muster.runtime.output.Waiting;
import dev.muster.runtime.output.Waits;
import dev.muster.runtime.text.Durations;
import dev.muster.spi.PortToUse;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Makes sure that a plan's ports are free. A process that an earlier run in the same container left behind is on its way out:
 * its port is waited for. Anybody else keeps what he has.
 */
public final class PortClaims {

    private static final Duration PAUSE = Duration.ofMillis(100);

    private final Ports ports;
    private final Duration patience;
    private final Predicate<Duration> goOnAfter;
    private final Waits waits;
    private Duration waited = Duration.ZERO;

    /**
     * @param patience how long to wait in all
     * @param goOnAfter lets time pass; false when the launcher was told to stop
     */
    public PortClaims(Ports ports, Duration patience, Predicate<Duration> goOnAfter, Waits waits) {
        this.ports = ports;
        this.patience = patience;
        this.goOnAfter = goOnAfter;
        this.waits = waits;
    }

    /**
     * Claims all ports, one after another.
     *
     * @return false when the launcher was told to stop meanwhile
     * @throws MusterException {@link ExitCode#UNAVAILABLE} when a process or another job has one of them, {@link ExitCode#TEMPORARY} when what an
     *     earlier run left does not give it up in time
     */
    public boolean claim(List<PortToUse> wanted) {
        for (PortToUse port : wanted) {
            InetSocketAddress place = place(port);
            // Jobs of one machine may have the same port beside each other at loopback addresses of their own.
            boolean isPrivate = place.getAddress().isLoopbackAddress();
            if (!isPrivate && !ports.use(port.port())) {
                refuseForLauncher(port);
            }
            if (!waitUntilFree(port, place)) {
                return false;
            }
        }
        return true;
    }

    /**
     * Anybody can say that a port is his, and drawn ports keep away from all of those. One that somebody has chosen is left only
     * to a launcher that is seen to be one; whether anybody else has it, the port itself tells.
     */
    private static void refuseForLauncher(PortToUse port) {
        PortOwner.ofLock(PortLock.Word.IN_USE, port.port())
                .filter(owner -> owner.kind() == PortOwner.Kind.LAUNCHER)
                .ifPresent(launcher -> {
                    throw refusal(
                            ExitCode.UNAVAILABLE,
                            port,
                            "is taken by another job: its launcher is " + launcher.describe());
                });
    }

    private boolean waitUntilFree(PortToUse port, InetSocketAddress place) {
        try (Waiting waiting = waits.upTo(patience)) {
            return waitUntilFree(port, place, waiting);
        }
    }

    private boolean waitUntilFree(PortToUse port, InetSocketAddress place, Waiting waiting) {
        while (!Ports.isFree(place)) {
            Optional<PortOwner> owner = PortOwner.ofTcp(port.port());
            boolean isLeftover = owner.isPresent() && owner.get().kind() == PortOwner.Kind.OF_MUSTER;
            // Without an owner it may have been given up this moment.
            if (!isLeftover && !Ports.isFree(place)) {
                String who = owner.map(PortOwner::describe).orElse("a process that this user cannot see");
                throw refusal(ExitCode.UNAVAILABLE, port, "is taken by " + who);
            }
            if (isLeftover && waited.compareTo(patience) >= 0) {
                throw refusal(
                        ExitCode.TEMPORARY,
                        port,
                        "is still held by " + leftover(owner.get()) + " after " + Durations.format(patience));
            }
            if (isLeftover) {
                waiting.lasts(() -> words(port) + " is still held by " + leftover(owner.get()));
            }
            if (!goOnAfter.test(PAUSE)) {
                return false;
            }
            waited = waited.plus(PAUSE);
        }
        return true;
    }

    private static InetSocketAddress place(PortToUse port) {
        try {
            InetAddress address = InetAddress.getByName(port.host().orElse("0.0.0.0"));
            if (address.isLoopbackAddress() || NetworkInterface.getByInetAddress(address) != null) {
                return new InetSocketAddress(address, port.port());
            }
        } catch (IOException unknown) {
            // As the plan has it: not known is everywhere.
        }
        return new InetSocketAddress(port.port());
    }

    private static String leftover(PortOwner owner) {
        return owner.describe() + ", which an earlier run left behind";
    }

    private static MusterException refusal(ExitCode code, PortToUse port, String problem) {
        return new MusterException(code, words(port) + " " + problem + ". " + port.fix());
    }

    private static String words(PortToUse port) {
        return "port " + port.port() + " for " + port.purpose() + " (" + port.origin() + ")";
    }
}
