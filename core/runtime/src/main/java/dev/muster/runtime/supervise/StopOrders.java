package dev.muster.runtime.supervise;

import dev.muster.runtime.process.ProcessSupervisor;
import java.time.Duration;
import java.util.Set;

/** Numbers the orders to stop that a launcher gives to its supervisor. */
final class StopOrders {

    /** From SIGKILL until the supervisor gives up, and some more. */
    private static final Duration BEYOND_GRACE = Duration.ofSeconds(12);

    private final ProcessSupervisor supervisor;
    private final SupervisorEvents events;
    private long last;
    private boolean isToAll;

    StopOrders(ProcessSupervisor supervisor, SupervisorEvents events) {
        this.supervisor = supervisor;
        this.events = events;
    }

    /** @param toAll whether SIGTERM goes to all at once from now on, and not to leaders first */
    void goToAll(boolean toAll) {
        isToAll = toAll;
    }

    /** Gives an order, and its number. */
    long stop(Set<Long> only, Duration grace) {
        last++;
        supervisor.stop(last, only, grace, isToAll);
        return last;
    }

    /** Ends all that there is, and waits for that. */
    void stopAll(Duration grace) {
        try {
            events.awaitStopped(stop(Set.of(), grace), grace.plus(BEYOND_GRACE));
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
