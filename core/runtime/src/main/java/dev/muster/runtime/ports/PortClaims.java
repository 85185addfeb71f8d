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
 * Makes sure that a plan's ports are free. It waits for a port that a process of an earlier run still holds, since that process is about to
 * end. It takes a port from no other process.
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
     * @param patience how long to wait for all ports together
     * @param goOnAfter waits; false: the launcher was told to stop
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
     * @param isAgain whether an earlier attempt of this launcher just had them; then it waits for any holder
     * @return false: the launcher was told to stop meanwhile
     * @throws MusterException {@link ExitCode#UNAVAILABLE}: a process or another job has one of them; {@link ExitCode#TEMPORARY}: a process
     *     of an earlier run does not release it in time
     */
    public boolean claim(List<RequiredPort> wanted, boolean isAgain) {
        waitsForAll = isAgain;
        for (RequiredPort port : wanted) {
            InetSocketAddress place = place(port);
            // Jobs of one machine may use the same port on different loopback addresses.
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
     * Announces the use of a port. Any user can announce any port. So a chosen port is refused only if another launcher of this user has
     * announced it. For all other users the state of the port itself counts.
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

    /** @param who the holder of the port, as the text after "is still held" */
    private boolean goesOn(RequiredPort port, String who, Waiting waiting) {
        if (waited.compareTo(patience) >= 0) {
            throw refusal(ExitCode.TEMPORARY, port, "is still held " + who + " after " + Durations.format(patience));
        }
        waiting.report(() -> words(port) + " is still held " + who);
        waited = waited.plus(PAUSE);
        return goOnAfter.test(PAUSE);
    }

    private boolean waitUntilFree(RequiredPort port, InetSocketAddress place) {
        Waiting waiting = waits.upTo(patience);
        while (!Ports.isFree(place)) {
            Optional<PortOwner> owner = PortOwner.ofTcp(port.port());
            boolean isLeftover = owner.filter(PortOwner::isOfRun).isPresent();
            String who = nameOf(owner);
            // A port without a visible owner may have been released at this moment.
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

    /** Why a process of this launcher could not bind a port that was free when it was claimed; empty: it is free. */
    public static Optional<String> refusal(RequiredPort port) {
        return obstacle(port, " was taken meanwhile by ");
    }

    /** Why a launcher could not get a port now; empty: it is free. */
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
            // An unknown address counts as all addresses.
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
