package dev.muster.runtime.supervise;

import dev.muster.runtime.report.ProcessNames;
import dev.muster.spi.StopMethod;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Ends the forerunners of a process: they get its stop signal and the whole grace period while the process itself goes on.
 * Only the event loop touches it.
 */
final class Forerunning {

    private static final long FIRST_LOOK = Duration.ofMillis(10).toNanos();
    private static final long SLOWEST_LOOK = Duration.ofMillis(100).toNanos();

    private final Effects effects;
    private final Events clock;
    private final Supervised process;
    private final StopMethod.Forerunners who;
    private final Predicate<StopMethod.Forerunners> isReady;
    private final Set<Long> signalled = new HashSet<>();
    private final long deadline;
    private long nextLook;
    private long lookInterval = FIRST_LOOK;
    private boolean isHurried;
    private boolean isOver;

    /**
     * Nobody is signalled yet.
     *
     * @param grace counts from now
     * @param isReady whether what else the process waits for has come true
     */
    Forerunning(
            Effects effects,
            Events clock,
            Supervised process,
            StopMethod.Forerunners who,
            Duration grace,
            Predicate<StopMethod.Forerunners> isReady) {
        this.effects = effects;
        this.clock = clock;
        this.process = process;
        this.who = who;
        this.isReady = isReady;
        this.deadline = clock.now() + grace.toNanos();
        this.nextLook = clock.now();
    }

    /** Sends the signal to those who have not got it; true when the process itself may be stopped. */
    boolean advance() {
        if (!isOver && (isHurried || clock.now() >= nextLook || isReady.test(who))) {
            look();
        }
        return isOver;
    }

    boolean isOver() {
        return isOver;
    }

    /** When {@link #advance} must be called again even if nothing happens. */
    long nextLook() {
        return nextLook;
    }

    /** The end of the grace period. */
    long deadline() {
        return deadline;
    }

    /** Ends the grace period now. */
    void hurry() {
        isHurried = true;
    }

    private void look() {
        List<Effects.Survivor> left = effects.carriers(who.variables());
        List<Long> newcomers = new ArrayList<>();
        for (Effects.Survivor survivor : left) {
            if (signalled.add(survivor.pid())) {
                newcomers.add(survivor.pid());
            }
        }
        if (!newcomers.isEmpty()) {
            effects.signalProcesses(process.spec().stop().signal(), newcomers);
        }
        boolean isTimeOver = isHurried || clock.now() >= deadline;
        isOver = isTimeOver || !process.isRunning() || (left.isEmpty() && isReady.test(who));
        if (isTimeOver && !left.isEmpty()) {
            effects.say(ProcessNames.of(process.spec()) + ": " + left.size()
                    + (left.size() == 1 ? " process" : " processes") + " did not end within the grace period");
        }
        nextLook = Math.min(clock.now() + lookInterval, deadline);
        lookInterval = Math.min(2 * lookInterval, SLOWEST_LOOK);
    }
}
