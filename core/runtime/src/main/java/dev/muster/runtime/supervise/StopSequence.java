package dev.muster.runtime.supervise;

import dev.muster.runtime.report.ProcessNames;
import dev.muster.runtime.text.Durations;
import dev.muster.spi.ProcessSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Ends some processes and all that they left behind: their stop signal to each whole process group, the grace period, KILL.
 * Processes that have ended already only have their leftovers ended. Only the event loop touches it.
 */
final class StopSequence {

    /** A killed process that is still there after this hangs in the kernel; the launcher does not wait for it. */
    private static final Duration UNKILLABLE = Duration.ofSeconds(10);

    private final Effects effects;
    private final Events clock;
    private final Targets targets;
    private final StopSignals signals;
    private final LookPause pause = new LookPause();
    private final Map<Supervised, Forerunning> held = new LinkedHashMap<>();
    private long deadline;
    private long nextLook;
    private long killedAt;
    private boolean isHurried;
    private boolean isWithoutSignal;
    private boolean done;

    /**
     * @param staying those that go on, while all that they have started is ended
     * @param forerunning those whose ranks end before they are stopped themselves
     * @param rankSignals who has got the signal as a rank that another process hosts
     * @param withEscaped whether processes that left our groups but carry the run's marker are ended too
     */
    StopSequence(
            Effects effects,
            Events clock,
            Collection<Supervised> processes,
            Set<Supervised> staying,
            StopTimes times,
            Map<Supervised, Forerunning> forerunning,
            RankSignals rankSignals,
            boolean withEscaped) {
        this.effects = effects;
        this.clock = clock;
        this.targets = new Targets(processes, staying, times);
        this.signals = new StopSignals(effects, clock, targets, rankSignals, withEscaped);
        for (Supervised process : targets.all()) {
            Forerunning first = forerunning.get(process);
            if (first != null && !first.isOver()) {
                held.put(process, first);
            }
        }
    }

    /** Sends the stop signals. A warden that stands still is replaced first: the grace period begins when they have gone out. */
    void begin() {
        List<Supervised> free = new ArrayList<>(targets.all());
        free.removeAll(held.keySet());
        signals.send(free);
        if (targets.anyRunning() && held.isEmpty()) {
            signals.sendToEscaped(signals.survivors());
        }
        nextLook = clock.now();
        deadline = deadline(nextLook);
    }

    /** Begins with what is the end otherwise, and sends no stop signals. */
    void kill() {
        isWithoutSignal = true;
        isHurried = true;
        deadline = clock.now();
        nextLook = deadline;
        signals.skip();
    }

    /** For those who are held it has begun with the signal to their forerunners, and others may have been told meanwhile. */
    private long deadline(long now) {
        boolean allHeld = targets.all().stream().allMatch(process -> !process.isRunning() || held.containsKey(process));
        return allHeld && !held.isEmpty()
                ? held.values().stream().mapToLong(Forerunning::deadline).max().orElseThrow()
                : targets.end(now);
    }

    /** Goes on as far as possible; true when nobody is left. */
    boolean advance() {
        if (!done && !held.isEmpty()) {
            release();
        }
        if (!held.isEmpty()) {
            return false;
        }
        if (done || (clock.now() < nextLook && targets.anyRunning())) {
            return done;
        }
        if (!done && clock.now() >= deadline && killedAt == 0 && targets.anyRunning()) {
            killRunning();
        }
        if (targets.anyRunning()) {
            waitForLeaders();
        } else {
            endLeftovers();
        }
        return done;
    }

    /** When {@link #advance} must be called again even if nothing happens. */
    long nextLook() {
        return held.isEmpty()
                ? nextLook
                : held.values().stream().mapToLong(Forerunning::nextLook).min().orElseThrow();
    }

    /** Whose forerunners have ended, or have had their time, is stopped itself. */
    private void release() {
        List<Supervised> released = new ArrayList<>();
        held.forEach((process, first) -> {
            if (first.advance()) {
                released.add(process);
                // From before its signal: Open MPI's mpirun, which does as we do, gives its ranks no more than a
                // second. What one leaves that has ended needs no time of its own.
                deadline = process.isRunning() ? Math.max(deadline, clock.now() + first.rest()) : deadline;
            }
        });
        if (!released.isEmpty()) {
            released.forEach(held::remove);
            signals.send(released);
            deadline = isHurried ? clock.now() : deadline;
            nextLook = clock.now();
        }
    }

    /** Ends the grace period now. */
    void hurry() {
        isHurried = true;
        held.values().forEach(Forerunning::hurry);
        deadline = clock.now();
        nextLook = deadline;
    }

    /** All have time until then; who was killed was. */
    void putOff(long until) {
        if (!isHurried && killedAt == 0) {
            deadline = until;
            nextLook = clock.now();
        }
    }

    private void waitForLeaders() {
        if (killedAt == 0) {
            nextLook = deadline;
        } else if (clock.now() - killedAt >= UNKILLABLE.toNanos()) {
            giveUp();
        } else {
            nextLook = killedAt + UNKILLABLE.toNanos();
        }
    }

    private void killRunning() {
        List<ProcessSpec> killed = new ArrayList<>();
        for (Supervised process : targets.all()) {
            if (targets.isToEnd(process)) {
                process.signalled(clock.now());
                killed.add(process.spec());
            }
        }
        List<Long> groups = targets.all().stream()
                .filter(targets::isToEnd)
                .map(Supervised::pid)
                .toList();
        killedAt = clock.now();
        String when = isWithoutSignal ? "" : " after the grace period";
        effects.say("SIGKILL to " + ProcessNames.count(killed) + when + ": " + ProcessNames.list(killed));
        effects.signalGroups("KILL", groups);
        // The number of a group whose leader has ended may be a stranger's by now.
        List<Long> left = signals.survivors().stream()
                .filter(survivor -> !groups.contains(survivor.group()))
                .map(Effects.Survivor::pid)
                .toList();
        effects.signalProcesses("KILL", left);
    }

    /** Leaders are gone; what they left in their groups is part of them, and gets the rest of the grace period. */
    private void endLeftovers() {
        List<Effects.Survivor> left = signals.survivors();
        if (left.isEmpty()) {
            if (effects.hasMissedSurvivors()) {
                effects.leaveAllToWarden();
            }
            done = true;
            return;
        }
        signals.sendToEscaped(left);
        signals.sendToNewborns(left);
        signals.sendAgain(left);
        if (clock.now() >= deadline) {
            kill(left);
        }
        nextLook = Math.min(clock.now() + pause.next(), Math.max(deadline, clock.now() + LookPause.FIRST));
    }

    private void kill(List<Effects.Survivor> left) {
        List<Long> pids = new ArrayList<>();
        for (Effects.Survivor survivor : left) {
            pids.add(survivor.pid());
        }
        if (killedAt == 0) {
            killedAt = clock.now();
        }
        if (clock.now() - killedAt >= UNKILLABLE.toNanos()) {
            giveUp();
        } else {
            effects.signalProcesses("KILL", pids);
        }
    }

    private void giveUp() {
        effects.say("some processes are still there " + Durations.format(UNKILLABLE)
                + " after SIGKILL (they hang in the kernel); not waiting for them");
        done = true;
    }
}
