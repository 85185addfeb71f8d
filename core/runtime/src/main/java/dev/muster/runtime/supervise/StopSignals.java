package dev.muster.runtime.supervise;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Who of those that are stopped together has got the stop signal, and who of those that they left behind still has to get it.
 * Only the event loop touches it.
 */
final class StopSignals {

    /** How long it may take from the fork of a process to its program, and how exact ages are. */
    static final long BIRTH = Duration.ofMillis(100).toNanos();

    private final Effects effects;
    private final Events clock;
    private final Targets targets;
    private final boolean withEscaped;
    private final Set<Long> groups = new HashSet<>();
    private final Set<Long> processes = new HashSet<>();
    /** Who had it and has got it again, as it was lost. */
    private final Set<Long> again = new HashSet<>();

    private long sentAt;

    /** @param withEscaped whether processes that left our groups but carry the run's marker are among those left behind */
    StopSignals(Effects effects, Events clock, Targets targets, boolean withEscaped) {
        this.effects = effects;
        this.clock = clock;
        this.targets = targets;
        this.withEscaped = withEscaped;
    }

    /** To the whole groups of those that are to end; of those that go on, to all that is in their groups but themselves. */
    void send(List<Supervised> some) {
        sentAt = clock.now();
        List<Long> ending = new ArrayList<>();
        List<Long> staying = new ArrayList<>();
        for (Supervised process : some) {
            if (targets.isToEnd(process)) {
                process.signalled(clock.now());
                ending.add(process.pid());
            } else if (targets.isStaying(process)) {
                staying.add(process.pid());
            }
        }
        if (!ending.isEmpty()) {
            effects.signalGroups("TERM", ending);
            groups.addAll(ending);
        }
        sendToChildren(staying);
    }

    private void sendToChildren(List<Long> staying) {
        if (!staying.isEmpty()) {
            sendTo(survivors().stream()
                    .filter(survivor -> staying.contains(survivor.group()))
                    .map(Effects.Survivor::pid)
                    .filter(processes::add)
                    .toList());
        }
    }

    /** Nobody gets it: they are killed at once, and so is what they leave behind. */
    void skip() {
        sentAt = clock.now();
        targets.all().stream()
                .filter(Supervised::isRunning)
                .map(Supervised::pid)
                .forEach(groups::add);
    }

    /** What is there of the processes' groups and sessions, or of the run, but for those that go on. */
    List<Effects.Survivor> survivors() {
        List<Long> ours = targets.groups();
        List<Effects.Survivor> left = new ArrayList<>();
        for (Effects.Survivor survivor : effects.survivors(ours)) {
            boolean isOurs = withEscaped || ours.contains(survivor.group()) || ours.contains(survivor.session());
            if (isOurs && !targets.isStaying(survivor.pid())) {
                left.add(survivor);
            }
        }
        return left;
    }

    /** Whoever was not in a group that got the signal gets it now, and the user hears of it. */
    void sendToEscaped(List<Effects.Survivor> left) {
        List<Long> pids = new ArrayList<>();
        for (Effects.Survivor survivor : left) {
            if (!groups.contains(survivor.group()) && !isLateHelper(survivor, left) && processes.add(survivor.pid())) {
                pids.add(survivor.pid());
                effects.say(targets.ownerOf(survivor) + " left process " + survivor.pid() + " (" + survivor.name()
                        + ") behind; stopping it");
            }
        }
        sendTo(pids);
    }

    /** A process that was being forked when its group got the signal may have lost it on the way to its program; it gets it again. */
    void sendToNewborns(List<Effects.Survivor> left) {
        List<Long> pids = new ArrayList<>();
        for (Effects.Survivor survivor : left) {
            if (groups.contains(survivor.group())
                    && bornAt(survivor) > sentAt - BIRTH
                    && !isLateHelper(survivor, left)
                    && processes.add(survivor.pid())) {
                pids.add(survivor.pid());
            }
        }
        sendTo(pids);
    }

    /** Whoever has had time to end by it, and would have ended, gets it again: a busy machine may take long from fork to program. */
    void sendAgain(List<Effects.Survivor> left) {
        if (clock.now() - sentAt >= BIRTH) {
            sendTo(left.stream()
                    .filter(survivor -> groups.contains(survivor.group()) || processes.contains(survivor.pid()))
                    .filter(survivor -> !isLateHelper(survivor, left))
                    .map(Effects.Survivor::pid)
                    .filter(effects::endsByTerm)
                    .filter(again::add)
                    .toList());
        }
    }

    /** Whoever was started well after the signal by somebody who got it helps to put things away, and is left in peace. */
    private boolean isLateHelper(Effects.Survivor survivor, List<Effects.Survivor> left) {
        return bornAt(survivor) > sentAt + BIRTH && left.stream().anyMatch(other -> other.pid() == survivor.parent());
    }

    private long bornAt(Effects.Survivor survivor) {
        return clock.now() - survivor.age().toNanos();
    }

    private void sendTo(List<Long> pids) {
        if (!pids.isEmpty()) {
            effects.signalProcesses("TERM", pids);
        }
    }
}
