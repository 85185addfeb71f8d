package dev.muster.runtime.supervise;

import dev.muster.runtime.report.ProcessNames;
import dev.muster.spi.LaunchPlan;
import dev.muster.spi.ProcessSpec;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;

/**
 * Ends the ranks that a process hosts: they get TERM and the whole grace period while the process itself goes on.
 * Only the event loop touches it.
 */
final class Forerunning {

    /** A task whose ranks are gone ends by itself soon; an mpirun that gets a signal just then may crash. */
    private static final long OWN_WAY = Duration.ofSeconds(2).toNanos();

    private final Effects effects;
    private final Events clock;
    private final Supervised process;
    private final StopTimes times;
    private final SortedSet<String> variables;
    private final BooleanSupplier isReady;
    private final BooleanSupplier endsByItself;
    private final RankSignals signals;
    private final LookPause pause = new LookPause();
    private long deadline;
    private long nextLook;
    private long alone;
    private boolean isHurried;
    private boolean isOver;

    /** The variables by which the forerunners of any process of a plan are known. */
    static Set<String> variables(LaunchPlan plan) {
        return plan.processes().stream()
                .flatMap(process -> process.hosted().stream())
                .flatMap(ranks -> ranks.variables().stream())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /**
     * Nobody is signalled yet.
     *
     * @param process has forerunners
     * @param times how long their grace period is
     * @param isReady whether what else the process waits for has come true
     * @param endsByItself whether a failed rank has ended the job: whoever hosts ranks knows, and shows what they still printed
     * @param signals who gets the signal, perhaps as forerunner of another process
     */
    Forerunning(
            Effects effects,
            Events clock,
            Supervised process,
            StopTimes times,
            BooleanSupplier isReady,
            BooleanSupplier endsByItself,
            RankSignals signals) {
        this.effects = effects;
        this.clock = clock;
        this.process = process;
        this.variables = process.spec().hosted().orElseThrow().variables();
        this.isReady = isReady;
        this.endsByItself = endsByItself;
        this.signals = signals;
        this.times = times;
    }

    /** Sends the first signals; the grace period begins when they have gone out. */
    void begin() {
        deadline = Long.MAX_VALUE;
        look();
        deadline = times.end(clock.now());
        nextLook = Math.min(nextLook, deadline);
    }

    /** Sends the signal to those who are due to get it; true when the process itself may be stopped. */
    boolean advance() {
        boolean isDue = clock.now() >= nextLook || isHurried || !process.isRunning() || isReady.getAsBoolean();
        if (!isOver && isDue) {
            look();
        }
        return isOver;
    }

    boolean isOver() {
        return isOver;
    }

    /** When their grace period is over. */
    long deadline() {
        return deadline;
    }

    /** When {@link #advance} must be called again even if nothing happens. */
    long nextLook() {
        return nextLook;
    }

    /** Ends the grace period now. */
    void hurry() {
        isHurried = true;
        nextLook = clock.now();
    }

    /** They have time until then. */
    void putOff(long until) {
        deadline = until;
        nextLook = clock.now();
    }

    private void look() {
        List<Effects.Carrier> left = effects.carriers(variables);
        if (effects.hasMissedSurvivors()) {
            // It can still look, and ends them before the process, too.
            effects.leaveAllToWarden();
        }
        signal(left);
        boolean isTimeOver = isHurried || clock.now() >= deadline;
        isOver = isTimeOver || !process.isRunning() || (left.isEmpty() && isReady.getAsBoolean() && !goesItsOwnWay());
        if (isTimeOver && !left.isEmpty()) {
            effects.say(left.size() + (left.size() == 1 ? " process" : " processes") + " under "
                    + ProcessNames.of(process.spec()) + " did not end within the grace period; stopping it");
        }
        nextLook = Math.min(clock.now() + pause.next(), deadline);
    }

    /** Its last rank has ended a moment ago, and it may end because of that. */
    private boolean goesItsOwnWay() {
        if (!(process.spec() instanceof ProcessSpec.Task)) {
            return false;
        }
        alone = alone == 0 ? clock.now() : alone;
        return endsByItself.getAsBoolean() || clock.now() - alone < OWN_WAY;
    }

    private void signal(List<Effects.Carrier> left) {
        List<Long> pids = signals.due(left, clock.now());
        if (!pids.isEmpty()) {
            effects.signalProcesses("TERM", pids);
            // Whoever stands still obeys only when it goes on.
            effects.signalProcesses("CONT", pids);
        }
    }
}
