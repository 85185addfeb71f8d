package dev.muster.runtime.supervise;

import dev.muster.runtime.report.ProcessNames;
import dev.muster.runtime.text.Durations;
import dev.muster.spi.ProcessSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Ends some processes and all that they left behind: their stop signal to each whole process group, the grace period, KILL.
 * Processes that have ended already only have their leftovers ended. Only the event loop touches it.
 */
final class StopSequence {

    private static final long FIRST_LOOK = Duration.ofMillis(10).toNanos();
    private static final long SLOWEST_LOOK = Duration.ofMillis(100).toNanos();
    private static final long BIRTH = RankSignals.BIRTH.toNanos();
    /** What a process gets, once its forerunners have had their time, to put things away. */
    private static final long LAST_GRACE = Duration.ofSeconds(5).toNanos();
    /** A killed process that is still there after this hangs in the kernel; the launcher does not wait for it. */
    private static final Duration UNKILLABLE = Duration.ofSeconds(10);

    private final Effects effects;
    private final Events clock;
    private final Targets targets;
    private final Map<Supervised, Forerunning> held = new LinkedHashMap<>();
    private final boolean withEscaped;
    private final Set<Long> signalledGroups = new HashSet<>();
    private final Set<Long> signalledProcesses = new HashSet<>();
    private long signalledAt;
    private long deadline;
    private long nextLook;
    private long lookInterval = FIRST_LOOK;
    private long killedAt;
    private boolean isHurried;
    private boolean isWithoutSignal;
    private boolean done;

    /**
     * @param staying those that go on, while all that they have started is ended
     * @param forerunning those whose ranks end before they are stopped themselves
     * @param withEscaped whether processes that left our groups but carry the run's marker are ended too
     */
    StopSequence(
            Effects effects,
            Events clock,
            Collection<Supervised> processes,
            Set<Supervised> staying,
            StopTimes times,
            Map<Supervised, Forerunning> forerunning,
            boolean withEscaped) {
        this.effects = effects;
        this.clock = clock;
        this.withEscaped = withEscaped;
        this.targets = new Targets(processes, staying, times);
        for (Supervised process : targets.all()) {
            Forerunning first = forerunning.get(process);
            if (first != null && process.isRunning()) {
                held.put(process, first);
            }
        }
    }

    /** Sends the stop signals. */
    void begin() {
        long now = clock.now();
        signalledAt = now;
        deadline = deadline(now);
        nextLook = now;
        List<Supervised> free = new ArrayList<>(targets.all());
        free.removeAll(held.keySet());
        signalRunning(free);
        if (targets.anyRunning() && held.isEmpty()) {
            tell(survivors());
        }
    }

    /** Begins with what is the end otherwise, and sends no stop signals. */
    void kill() {
        isWithoutSignal = true;
        isHurried = true;
        signalledAt = clock.now();
        deadline = signalledAt;
        nextLook = signalledAt;
        targets.all().stream()
                .filter(Supervised::isRunning)
                .map(Supervised::pid)
                .forEach(signalledGroups::add);
    }

    /** For those who are held it has begun with the signal to their forerunners, and others may have been told meanwhile. */
    private long deadline(long now) {
        boolean allHeld = targets.all().stream().allMatch(process -> !process.isRunning() || held.containsKey(process));
        return allHeld && !held.isEmpty()
                ? held.values().stream().mapToLong(Forerunning::deadline).max().orElseThrow()
                : targets.end(now);
    }

    private void signalRunning(List<Supervised> some) {
        List<Long> pids = new ArrayList<>();
        List<Long> stay = new ArrayList<>();
        for (Supervised process : some) {
            if (targets.isToEnd(process)) {
                process.signalled(clock.now());
                pids.add(process.pid());
            } else if (targets.isStaying(process)) {
                stay.add(process.pid());
            }
        }
        if (!pids.isEmpty()) {
            effects.signalGroups("TERM", pids);
            signalledGroups.addAll(pids);
        }
        signalChildren(stay);
    }

    /** Of those that go on all that is in their groups gets the signal but themselves. */
    private void signalChildren(List<Long> groups) {
        if (!groups.isEmpty()) {
            signal(survivors().stream()
                    .filter(survivor -> groups.contains(survivor.group()))
                    .map(Effects.Survivor::pid)
                    .filter(signalledProcesses::add)
                    .toList());
        }
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
                long own = Math.min(targets.grace().toNanos(), LAST_GRACE);
                deadline = Math.max(deadline, clock.now() + own);
            }
        });
        if (!released.isEmpty()) {
            released.forEach(held::remove);
            signalledAt = clock.now();
            signalRunning(released);
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
        List<Long> left = survivors().stream()
                .filter(survivor -> !groups.contains(survivor.group()))
                .map(Effects.Survivor::pid)
                .toList();
        effects.signalProcesses("KILL", left);
    }

    /** Leaders are gone; what they left in their groups is part of them, and gets the rest of the grace period. */
    private void endLeftovers() {
        List<Effects.Survivor> left = survivors();
        if (left.isEmpty()) {
            done = true;
            return;
        }
        tell(left);
        tellNewborns(left);
        if (clock.now() >= deadline) {
            kill(left);
        }
        nextLook = Math.min(clock.now() + lookInterval, Math.max(deadline, clock.now() + FIRST_LOOK));
        lookInterval = Math.min(2 * lookInterval, SLOWEST_LOOK);
    }

    private List<Effects.Survivor> survivors() {
        List<Long> groups = targets.groups();
        List<Effects.Survivor> left = new ArrayList<>();
        for (Effects.Survivor survivor : effects.survivors(groups)) {
            boolean isOurs = withEscaped || groups.contains(survivor.group()) || groups.contains(survivor.session());
            if (isOurs && !targets.isStaying(survivor.pid())) {
                left.add(survivor);
            }
        }
        return left;
    }

    /** Whoever was not in a group that got the stop signal gets it now, and the user hears of it. */
    private void tell(List<Effects.Survivor> left) {
        List<Long> pids = new ArrayList<>();
        for (Effects.Survivor survivor : left) {
            if (!signalledGroups.contains(survivor.group())
                    && !isLateHelper(survivor, left)
                    && signalledProcesses.add(survivor.pid())) {
                pids.add(survivor.pid());
                effects.say(targets.ownerOf(survivor) + " left process " + survivor.pid() + " (" + survivor.name()
                        + ") behind; stopping it");
            }
        }
        signal(pids);
    }

    /**
     * A process that was being forked when its group got the stop signal may have lost it on the way to its program; it gets
     * it again.
     */
    private void tellNewborns(List<Effects.Survivor> left) {
        List<Long> pids = new ArrayList<>();
        for (Effects.Survivor survivor : left) {
            if (signalledGroups.contains(survivor.group())
                    && bornAt(survivor) > signalledAt - BIRTH
                    && !isLateHelper(survivor, left)
                    && signalledProcesses.add(survivor.pid())) {
                pids.add(survivor.pid());
            }
        }
        signal(pids);
    }

    /** Whoever was started well after the signal by somebody who got it helps to put things away, and is left in peace. */
    private boolean isLateHelper(Effects.Survivor survivor, List<Effects.Survivor> left) {
        return bornAt(survivor) > signalledAt + BIRTH
                && left.stream().anyMatch(other -> other.pid() == survivor.parent());
    }

    private long bornAt(Effects.Survivor survivor) {
        return clock.now() - survivor.age().toNanos();
    }

    private void signal(List<Long> pids) {
        if (!pids.isEmpty()) {
            effects.signalProcesses("TERM", pids);
        }
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
