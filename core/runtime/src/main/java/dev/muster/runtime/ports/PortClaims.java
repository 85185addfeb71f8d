package dev.muster.runtime.ports;

import dev.muster.runtime.errors.ExitCode;
import dev.muster.runtime.errors.MusterException;
import dev.muster.runtime.output.WaitReporter;
import dev.muster.runtime.output.WaitReporter.Waiting;
import dev.muster.runtime.text.Durations;
import dev.muster.spi.RequiredPort;
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
    private final WaitReporter waits;
    private Duration waited = Duration.ZERO;
    private boolean waitsForAll;

    /**
     * @param patience how long to wait in all
     * @param goOnAfter lets time pass; false when the launcher was told to stop
     */
    public PortClaims(Ports ports, Duration patience, Predicate<Duration> goOnAfter, WaitReporter waits) {
        this.ports = ports;
        this.patience = patience;
        this.goOnAfter = goOnAfter;
        this.waits = waits;
    }

    /**
     * Claims all ports, one after another.
     *
     * @param isAgain whether an earlier run of this launcher had them a moment ago, so that whoever has one now is waited for
     * @return false when the launcher was told to stop meanwhile
     * @throws MusterException {@link ExitCode#UNAVAILABLE} when a process or another job has one of them, {@link ExitCode#TEMPORARY} when what an
     *     earlier run left does not give it up in time
     */
    public boolean claim(List<RequiredPort> wanted, boolean isAgain) {
        waitsForAll = isAgain;
        for (RequiredPort port : wanted) {
            InetSocketAddress place = place(port);
            // Jobs of one machine may have the same port beside each other at loopback addresses of their own.
            boolean isPrivate = place.getAddress().isLoopbackAddress();
            if (!isPrivate && !useOrRefuse(port)) {
                return false;
            }
            if (!waitUntilFree(port, place)) {
                return false;
            }
        }
        return true;
    }

    /**
     * Any user can say that a port is his, and drawn ports keep away from all of those. One that somebody has chosen is left only
     * to a launcher of this user; whether anybody else has it, the port itself tells.
     */
    private boolean useOrRefuse(RequiredPort port) {
        Waiting waiting = waits.upTo(patience);
        while (!ports.use(port.port())) {
            Optional<PortOwner> launcher =
                    PortOwner.ofLock(PortLock.Word.IN_USE, port.port()).filter(PortOwner::isOurs);
            if (launcher.isEmpty()) {
                return true;
            }
            String who = "by another job, or another node of this one on this machine: its launcher is "
                    + launcher.get().describe();
            if (!waitsForAll) {
                throw refusal(ExitCode.UNAVAILABLE, port, "is taken " + who);
            }
            if (!goesOn(port, who, waiting)) {
                return false;
            }
        }
        return true;
    }

    /** @param who has the port, to be read after "is still held" */
    private boolean goesOn(RequiredPort port, String who, Waiting waiting) {
        if (waited.compareTo(patience) >= 0) {
            throw refusal(ExitCode.TEMPORARY, port, "is still held " + who + " after " + Durations.format(patience));
        }
        waiting.lasts(() -> words(port) + " is still held " + who);
        waited = waited.plus(PAUSE);
        return goOnAfter.test(PAUSE);
    }

    private boolean waitUntilFree(RequiredPort port, InetSocketAddress place) {
        Waiting waiting = waits.upTo(patience);
        while (!Ports.isFree(place)) {
            Optional<PortOwner> owner = PortOwner.ofTcp(port.port());
            boolean isLeftover = owner.filter(PortOwner::isOfRun).isPresent();
            String who = nameOf(owner);
            // Without an owner it may have been given up this moment.
            if (!isLeftover && !waitsForAll && !Ports.isFree(place)) {
                throw refusal(ExitCode.UNAVAILABLE, port, "is taken by " + who);
            }
            if (!goesOn(port, "by " + who + (isLeftover ? ", which an earlier run left behind" : ""), waiting)) {
                return false;
            }
        }
        return true;
    }

    private static String nameOf(Optional<PortOwner> owner) {
        return owner.map(PortOwner::describe)
                .orElse("a process that this user cannot see, or kept for root (those below 1024)");
    }

    /** Why a process of this launcher could not have a port that was free when it was claimed; empty: it is free. */
    public static Optional<String> refusal(RequiredPort port) {
        return obstacle(port, " was taken meanwhile by ");
    }

    /** Why a launch could not have a port now; empty: it is free. */
    public static Optional<String> obstacle(RequiredPort port) {
        return obstacle(port, " is taken by ");
    }

    private static Optional<String> obstacle(RequiredPort port, String how) {
        return Ports.isFree(place(port))
                ? Optional.empty()
                : Optional.of(words(port) + how + nameOf(PortOwner.ofTcp(port.port())) + ". " + port.fix());
    }

    private static InetSocketAddress place(RequiredPort port) {
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

    private static MusterException refusal(ExitCode code, RequiredPort port, String problem) {
        return new MusterException(code, words(port) + " " + problem + ". " + port.fix());
    }

    private static String words(RequiredPort port) {
        return "port " + port.port() + " for " + port.purpose() + " (" + port.origin() + ")";
    }
}
