package dev.muster.runtime.supervise;

import dev.muster.runtime.files.RunDirectory;
import dev.muster.runtime.ports.PortClaims;
import dev.muster.runtime.ports.Ports;
import dev.muster.runtime.process.RunMarker;
import dev.muster.runtime.process.Termination;
import dev.muster.spi.LaunchPlan;
import dev.muster.spi.RequiredPort;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * What the processes of an attempt have in common: the private directory, ports, and services that are kept for the next. It is put away
 * after each attempt, unless that keeps a service: then the next attempt goes on in it.
 */
final class RunScope {

    /** After SIGKILL at the latest, until the end is known. */
    private static final Duration ENDING = Duration.ofSeconds(1);

    private final RunDirectory directory;
    private final StopOrders orders;
    /** What tells processes of this launcher that they are its own. */
    private final String marker = RunMarker.random().value();

    private final List<RequiredPort> claimed = new ArrayList<>();
    private Ports ports = new Ports();
    private KeptServices services = new KeptServices();
    private Duration grace = Duration.ZERO;

    RunScope(RunDirectory directory, StopOrders orders) {
        this.directory = directory;
        this.orders = orders;
    }

    String marker() {
        return marker;
    }

    Ports ports() {
        return ports;
    }

    KeptServices services() {
        return services;
    }

    RunDirectory directory() {
        return directory;
    }

    /** An attempt begins. Services of the one before that it does not want are ended. */
    void enter(LaunchPlan plan, Duration ofAttempt) {
        if (!services.areThere() || !services.areWantedBy(plan)) {
            close();
        }
        grace = ofAttempt;
    }

    /**
     * Claims ports. Those that an attempt before has claimed are ours already, and may be in use by a service that was kept.
     *
     * @param isAgain whether the attempt follows another one of this launcher
     * @return false when the launcher was told to stop meanwhile
     */
    boolean claim(PortClaims claims, List<RequiredPort> wanted, boolean isAgain) {
        List<RequiredPort> news = new ArrayList<>(wanted);
        news.removeAll(claimed);
        claimed.addAll(news);
        return isAgain ? claims.claimAgain(news) : claims.claim(news);
    }

    /**
     * An attempt has ended.
     *
     * @param isOver whether nothing of it is there any more but services that are kept
     */
    void leave(boolean isOver) {
        if (isOver && services.areThere()) {
            directory.emptyBut(services.files());
        } else {
            close();
        }
    }

    /**
     * Ends the services that are there still, and puts everything away.
     *
     * @return how services have ended that were kept, by their ids
     */
    Map<String, Termination> close() {
        if (services.areThere()) {
            orders.stopAll(grace);
        }
        Map<String, Termination> ends = services.ends(ENDING);
        services = new KeptServices();
        ports.close();
        ports = new Ports();
        claimed.clear();
        directory.close();
        return ends;
    }
}
