package dev.muster.runtime.supervise;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
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
    private final RankSignals ofRanks;
    private final boolean withEscaped;
    private final Set<Long> groups = new HashSet<>();
    /** When others have got it, by pid; those too that had it with their group, whatever group they have now. */
    private final Map<Long, Long> processes = new HashMap<>();
    /** What they were then, or when they were seen first, by pid. */
    private final Map<Long, Long> programs = new HashMap<>();
    /** Who had it and has got it again, as it was lost. */
    private final Set<Long> again = new HashSet<>();

    private long sentAt;

    /**
     * @param ofRanks who has got the signal as a rank that another process hosts
     * @param withEscaped whether processes that left our groups but carry the run's marker are among those left behind
     */
    StopSignals(Effects effects, Events clock, Targets targets, RankSignals ofRanks, boolean withEscaped) {
        this.effects = effects;
        this.clock = clock;
        this.targets = targets;
        this.ofRanks = ofRanks;
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
            effects.signalGroups("TERM", ending).forEach(this::hasGotIt);
            groups.addAll(ending);
        }
        sendToChildren(staying);
    }

    private void sendToChildren(List<Long> staying) {
        if (!staying.isEmpty()) {
            sendTo(survivors().stream()
                    .filter(survivor -> staying.contains(survivor.group()))
                    .filter(this::hasNotHadIt)
                    .toList());
        }
    }

    private void hasGotIt(Effects.Survivor survivor) {
        processes.put(survivor.pid(), clock.now());
        programs.put(survivor.pid(), survivor.program());
    }

    /** It, and not somebody whose number it has now. */
    private boolean hasNotHadIt(Effects.Survivor survivor) {
        Long at = processes.get(survivor.pid());
        boolean isAnother = at == null || bornAt(survivor) - at >= BIRTH;
        return isAnother && !ofRanks.haveReached(survivor.pid(), bornAt(survivor));
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
        List<Effects.Survivor> escaped = left.stream()
                .filter(survivor -> !groups.contains(survivor.group()) && !isLateHelper(survivor, left))
                .filter(this::hasNotHadIt)
                .toList();
        for (Effects.Survivor survivor : escaped) {
            effects.say(targets.ownerOf(survivor) + " left process " + survivor.pid() + " (" + survivor.name()
                    + ") behind; stopping it");
        }
        sendTo(escaped);
        left.forEach(survivor -> programs.putIfAbsent(survivor.pid(), survivor.program()));
    }

    /** A process that was being forked when its group got the signal may have lost it on the way to its program; it gets it again. */
    void sendToNewborns(List<Effects.Survivor> left) {
        sendTo(left.stream()
                .filter(survivor -> groups.contains(survivor.group()) && bornAt(survivor) > sentAt - BIRTH)
                .filter(survivor -> !isLateHelper(survivor, left) && hasNotHadIt(survivor))
                .toList());
    }

    /**
     * Whoever has become another program since, and would have ended by it, gets it again: a busy machine may take long from fork to
     * program. Whoever has not, has heard, and may have had a handler for one time.
     */
    void sendAgain(List<Effects.Survivor> left) {
        if (clock.now() - sentAt >= BIRTH) {
            sendTo(left.stream()
                    .filter(survivor -> groups.contains(survivor.group()) || processes.containsKey(survivor.pid()))
                    .filter(survivor -> !isLateHelper(survivor, left) && hasAnotherProgram(survivor))
                    .filter(survivor -> effects.endsByTerm(survivor.pid()) && again.add(survivor.pid()))
                    .toList());
        }
    }

    private boolean hasAnotherProgram(Effects.Survivor survivor) {
        Long first = programs.get(survivor.pid());
        return first != null && survivor.program() != 0 && first != survivor.program();
    }

    /** Whoever was started well after the signal by somebody who got it helps to put things away, and is left in peace. */
    private boolean isLateHelper(Effects.Survivor survivor, List<Effects.Survivor> left) {
        return bornAt(survivor) > sentAt + BIRTH && left.stream().anyMatch(other -> other.pid() == survivor.parent());
    }

    private long bornAt(Effects.Survivor survivor) {
        return clock.now() - survivor.age().toNanos();
    }

    private void sendTo(List<Effects.Survivor> some) {
        if (!some.isEmpty()) {
            effects.signalProcesses(
                    "TERM", some.stream().map(Effects.Survivor::pid).toList());
            some.forEach(this::hasGotIt);
        }
    }
}
