package dev.muster.runtime.supervise;

import dev.muster.runtime.files.RunDirectory;
import dev.muster.runtime.ports.PortClaims;
import dev.muster.runtime.ports.Ports;
import dev.muster.runtime.process.ProcessTable;
import dev.muster.runtime.process.Rounds;
import dev.muster.runtime.process.RunMarker;
import dev.muster.runtime.process.Warden;
import dev.muster.spi.LaunchPlan;
import dev.muster.spi.PortToUse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What the processes of a run have in common: their marker, the private directory, ports, and the warden. Each run makes one and puts it
 * away, unless it keeps a service: then the next run gets the household that it lives in.
 */
final class Household implements AutoCloseable {

    private final RunDirectory directory;
    private final RunMarker marker = RunMarker.random();
    private final Ports ports = new Ports();
    private final ProcessTable table = ProcessTable.ofThisLauncher(marker);
    private final KeptServices services = new KeptServices();
    private final List<PortToUse> claimed = new ArrayList<>();
    private @Nullable Warden warden;
    private @Nullable Rounds rounds;
    private boolean isOver;
    private boolean isLeft;

    Household(RunDirectory directory) {
        this.directory = directory;
    }

    RunMarker marker() {
        return marker;
    }

    Ports ports() {
        return ports;
    }

    ProcessTable table() {
        return table;
    }

    KeptServices services() {
        return services;
    }

    RunDirectory directory() {
        return directory;
    }

    /** Whether a plan can be carried out in it. */
    boolean fits(LaunchPlan plan) {
        return services.areThere() && services.areWantedBy(plan);
    }

    /**
     * Claims ports. Those that a run before has claimed are ours already, and may be in use by a service that was kept.
     *
     * @param isAgain whether the run follows another one of this launcher
     * @return false when the launcher was told to stop meanwhile
     */
    boolean claim(PortClaims claims, List<PortToUse> wanted, boolean isAgain) {
        List<PortToUse> news = new ArrayList<>(wanted);
        news.removeAll(claimed);
        claimed.addAll(news);
        return isAgain ? claims.claimAgain(news) : claims.claim(news);
    }

    /**
     * Looks after the processes of a run.
     *
     * @param made the warden, where the run before has left none
     */
    Care care(Supplier<Warden> made, LongSupplier nanoClock) {
        isOver = false;
        isLeft = false;
        if (warden == null) {
            Warden first = made.get();
            rounds = rounds(first, nanoClock);
            warden = first;
        }
        return new Care(warden);
    }

    private Rounds rounds(Warden first, LongSupplier nanoClock) {
        try {
            return Rounds.begin(first, table, nanoClock);
        } catch (OutOfMemoryError noThread) {
            // It has nobody in its care yet, and would look for somebody for a second.
            first.dismiss();
            throw noThread;
        }
    }

    /** Who looks after the processes of one run. When it is closed before the run is over, they are ended. */
    final class Care implements AutoCloseable {

        private final Warden warden;

        private Care(Warden warden) {
            this.warden = warden;
        }

        Warden warden() {
            return warden;
        }

        /**
         * The run is over, and nothing of it is there any more but services that are kept.
         *
         * @param limit for the last words of those that have ended
         */
        void isOver(Duration limit) throws InterruptedException {
            services.belongToNobody(limit);
            isOver = true;
            isLeft = services.areThere();
        }

        @Override
        public void close() {
            if (!isOver) {
                warden.close();
            }
        }
    }

    private void dismiss() {
        if (warden != null && rounds != null) {
            warden.dismiss();
            rounds.end();
        }
    }

    /** Whether the run that was the last has left services in it. */
    boolean isLeft() {
        return isLeft;
    }

    /** The run has ended, and what it has left is for the next. */
    void clear() {
        directory.emptyBut(services.files());
    }

    /**
     * Ends what is there still, and puts everything away. Where nothing is, the warden goes last: whenever this launcher is killed, somebody
     * is there who removes the directory.
     */
    @Override
    public void close() {
        boolean isEmpty = isOver && !isLeft;
        if (warden != null && !isEmpty) {
            warden.close();
        }
        ports.close();
        directory.close();
        if (isEmpty) {
            dismiss();
        }
    }
}
