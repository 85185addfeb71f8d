package dev.muster.runtime.supervise;

import dev.muster.runtime.report.ProcessNames;
import dev.muster.spi.LaunchPlan;
import dev.muster.spi.ProcessSpec;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;

/**
 * Ends the ranks that a process hosts: they get TERM and the whole grace period while the process itself goes on, then KILL: the
 * process would tell them to end once more, and wait for them. Only the event loop touches it.
 */
final class Forerunning {

    /** A task whose ranks are gone ends by itself soon; an mpirun that gets a signal just then may crash. */
    private static final long OWN_WAY = Duration.ofSeconds(2).toNanos();

    /** What the process gets after its forerunners to put things away. */
    private static final long LAST_GRACE = Duration.ofSeconds(5).toNanos();

    /** So long a killed rank's shell has to tell whoever started it that the rank has ended, in good order. */
    private static final long SHELL = Duration.ofSeconds(1).toNanos();

    private final Effects effects;
    private final Events clock;
    private final Supervised process;
    private final StopTimes times;
    private final SortedSet<String> variables;
    private final BooleanSupplier isReady;
    private final RankStops ranks;
    private LookPause pause = new LookPause();
    private long deadline;
    private long nextLook;
    private long alone;
    private boolean isHurried;
    /** When the grace period was over. A look may come late. */
    private OptionalLong overAt = OptionalLong.empty();

    /** Whether there was anybody to kill. */
    private boolean hasKilled;

    /** Whether the process had ended, and they had not. */
    private boolean hasLeftRanks;

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
     * @param ranks of this process and of others
     */
    Forerunning(
            Effects effects,
            Events clock,
            Supervised process,
            StopTimes times,
            BooleanSupplier isReady,
            RankStops ranks) {
        this.effects = effects;
        this.clock = clock;
        this.process = process;
        this.variables = process.spec().hosted().orElseThrow().variables();
        this.isReady = isReady;
        this.ranks = ranks;
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

    /** They have time until then, unless it is over. */
    void putOff(long until) {
        if (overAt.isEmpty()) {
            deadline = until;
            nextLook = clock.now();
        }
    }

    /** How long the process itself has from now on; a part of it may have gone by while it could end by itself. */
    long rest() {
        return overAt.isPresent() && !isHurried ? own() - ownWay() : own();
    }

    private long own() {
        return Math.min(times.grace().toNanos(), LAST_GRACE);
    }

    private void look() {
        List<Effects.Carrier> left = effects.carriers(variables);
        if (effects.hasMissedSurvivors()) {
            // It can still look, and ends them before the process, too.
            effects.leaveAllToWarden();
        }
        if (isHurried || clock.now() >= deadline) {
            kill(left);
        } else {
            signal(left);
        }
        isOver = isHurried || isAlone(left) || clock.now() >= end();
        nextLook = Math.min(clock.now() + pause.next(), overAt.isPresent() ? end() : deadline);
    }

    /**
     * Shells that wait for ranks are killed last: when they say that the ranks have ended, an mpirun ends by itself at once. Else it
     * takes two seconds, and crashes by a signal.
     */
    private void kill(List<Effects.Carrier> left) {
        if (overAt.isEmpty()) {
            overAt = OptionalLong.of(clock.now());
            pause = new LookPause();
        }
        List<Long> shells = left.isEmpty() || areShellsDue() ? List.of() : ranks.shells();
        List<Long> pids = left.stream()
                .map(Effects.Carrier::pid)
                .filter(pid -> !shells.contains(pid))
                .toList();
        if (!pids.isEmpty() && !hasKilled) {
            hasKilled = true;
            effects.say("SIGKILL to " + pids.size() + (pids.size() == 1 ? " process" : " processes") + " under "
                    + ProcessNames.of(process.spec()) + " after the grace period");
        }
        if (!pids.isEmpty()) {
            effects.signalProcesses("KILL", pids);
        }
    }

    private boolean areShellsDue() {
        return isHurried || clock.now() >= overAt.orElseThrow() + Math.min(SHELL, own() / 2);
    }

    /** When the process itself is stopped at the latest. */
    private long end() {
        return overAt.isPresent() ? overAt.getAsLong() + ownWay() : Long.MAX_VALUE;
    }

    /**
     * For so long after the grace period the process may end by itself because its ranks have been killed, here or on other nodes.
     * Where only the process can end the ranks of others, and none was left here whose end it would notice, it is stopped at once.
     */
    private long ownWay() {
        boolean hearsOfEnds = hasKilled || (ranks.areEndedElsewhere() && !isReady.getAsBoolean());
        return hearsOfEnds ? own() / 2 : 0;
    }

    private boolean isAlone(List<Effects.Carrier> left) {
        if (process.isRunning()) {
            return left.isEmpty() && isReady.getAsBoolean() && !goesItsOwnWay();
        }
        return !leavesRanks() && (!hasLeftRanks || (isReady.getAsBoolean() && !leavesWhoeverHadThem()));
    }

    /** Its last rank has ended a moment ago, and it may end because of that. */
    private boolean goesItsOwnWay() {
        return process.spec() instanceof ProcessSpec.Task
                && (mayEndByItself() || ranks.haveFailed().getAsBoolean());
    }

    private boolean mayEndByItself() {
        alone = alone == 0 ? clock.now() : alone;
        return clock.now() - alone < OWN_WAY;
    }

    /** Whoever was killed leaves ranks with an mpirun that would tell them to end once more, and kill them a second later. */
    private boolean leavesRanks() {
        boolean leaves = !ranks.shells().isEmpty();
        hasLeftRanks |= leaves;
        return leaves;
    }

    private boolean leavesWhoeverHadThem() {
        return mayEndByItself()
                && effects.survivors(List.of(process.pid())).stream()
                        .anyMatch(survivor -> survivor.group() == process.pid());
    }

    private void signal(List<Effects.Carrier> left) {
        List<Long> pids = ranks.signals().due(ranks.heeding(left), clock.now());
        if (!pids.isEmpty()) {
            effects.signalProcesses("TERM", pids);
            // Whoever stands still obeys only when it goes on.
            effects.signalProcesses("CONT", pids);
        }
    }
}
