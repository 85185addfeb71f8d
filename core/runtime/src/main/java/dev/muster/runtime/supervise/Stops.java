package dev.muster.runtime.supervise;

import dev.muster.spi.Condition;
import dev.muster.spi.HostedRanks;
import dev.muster.spi.ProcessSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** All that is being stopped. Only the event loop touches it. */
final class Stops {

    private final Effects effects;
    private final Events clock;
    private final StopTimes times;
    private final Predicate<Condition> isMet;
    private final RankStops ranks;
    private final KeptEnds keptEnds;
    private final Map<Supervised, Forerunning> forerunning = new LinkedHashMap<>();
    private final List<StopSequence> sequences = new ArrayList<>();
    private final List<SoonerKill> soonerKills = new ArrayList<>();
    private boolean isHurried;
    /** Whether what is being stopped gets nothing but SIGKILL. */
    private boolean kills;

    /**
     * @param isMet whether a condition has come true
     * @param ranks that processes host
     * @param keptEnds of ranks
     */
    Stops(
            Effects effects,
            Events clock,
            StopTimes times,
            Predicate<Condition> isMet,
            RankStops ranks,
            KeptEnds keptEnds) {
        this.effects = effects;
        this.clock = clock;
        this.times = times;
        this.isMet = isMet;
        this.ranks = ranks;
        this.keptEnds = keptEnds;
    }

    /** The ranks that these processes host, where they do, get their signal; their time begins. */
    void beginForerunning(Collection<Supervised> processes) {
        for (Supervised process : processes) {
            Optional<HostedRanks> hosted = process.spec().hosted();
            if (hosted.isPresent() && hasRanks(process) && !forerunning.containsKey(process)) {
                if (forerunning.isEmpty()) {
                    keptEnds.begin();
                    effects.noteStop();
                }
                process.signalled(clock.now());
                Forerunning first = new Forerunning(
                        effects,
                        clock,
                        process,
                        times,
                        () -> isMet.test(hosted.get().until()),
                        ranks);
                forerunning.put(process, first);
                first.begin();
            }
        }
    }

    /** Who was killed may have left ranks, and an mpirun that would give them next to no time if it were told first. */
    private boolean hasRanks(Supervised process) {
        return process.isRunning() || (process.hasEnded() && !ranks.shells().isEmpty());
    }

    /** Stops the tasks, and the steps that may still run when these do; without services also whatever escaped. */
    void beginTasks(Roster roster) {
        begin(tasks(roster), Set.of(), roster.services().isEmpty(), times);
    }

    /** Ends the tasks by SIGKILL alone, so that none of them begins to save anything. */
    void killTasks(Roster roster) {
        hurry();
        kills = true;
        beginTasks(roster);
        kills = false;
    }

    private static List<Supervised> tasks(Roster roster) {
        List<Supervised> ending = new ArrayList<>(roster.tasks());
        ending.addAll(roster.steps(ProcessSpec.Phase.BEFORE_TASKS));
        ending.addAll(roster.steps(ProcessSpec.Phase.ON_STOP));
        return ending;
    }

    /**
     * As {@link #beginTasks(Roster)}, with other times.
     *
     * @param grace between TERM and KILL
     * @param sooner who is killed before
     * @param after how long after TERM
     */
    void beginTasks(Roster roster, Duration grace, List<Supervised> sooner, Duration after) {
        soonerKills.add(new SoonerKill(sooner, after, effects, clock));
        begin(tasks(roster), Set.of(), roster.services().isEmpty(), StopTimes.withGrace(grace));
    }

    /**
     * Stops all services in reverse order, whatever is left of the steps that ran before, and what escaped.
     *
     * @param stay which services go on, while all that they have started is ended
     */
    void beginServices(Roster roster, Predicate<Supervised> stay) {
        times.countAnew();
        List<Supervised> ending = new ArrayList<>(roster.services());
        Collections.reverse(ending);
        ending.addAll(roster.steps(ProcessSpec.Phase.AFTER_OUTCOME));
        if (!ending.isEmpty()) {
            Set<Supervised> staying = ending.stream().filter(stay).collect(Collectors.toSet());
            begin(ending, staying, true, times);
        }
    }

    /** Stops processes, and what they left behind. */
    private void begin(List<Supervised> ending, Set<Supervised> staying, boolean withEscaped, StopTimes limits) {
        beginForerunning(ending);
        StopSequence sequence =
                new StopSequence(effects, clock, ending, staying, limits, forerunning, ranks.signals(), withEscaped);
        if (kills) {
            sequence.kill();
        } else {
            sequence.begin();
        }
        sequences.add(sequence);
        if (isHurried) {
            hurry();
        }
    }

    /** Ends the grace period, also of what is only going to be stopped. */
    void hurry() {
        isHurried = true;
        forerunning.values().forEach(Forerunning::hurry);
        sequences.forEach(StopSequence::hurry);
    }

    /** All that is being stopped has the grace of now, from now on. */
    void putOff() {
        long until = clock.now() + times.grace().toNanos();
        forerunning.values().forEach(first -> first.putOff(until));
        sequences.forEach(sequence -> sequence.putOff(until));
    }

    boolean isHurried() {
        return isHurried;
    }

    /** Goes on as far as possible. */
    void advance() {
        keptEnds.look();
        forerunning.values().forEach(Forerunning::advance);
        sequences.removeIf(StopSequence::advance);
        soonerKills.forEach(SoonerKill::advance);
    }

    /** Whether nothing is being stopped any more. */
    boolean areDone() {
        return sequences.isEmpty();
    }

    /** When {@link #advance} must be called again even if nothing happens. */
    OptionalLong nextLook() {
        List<Long> looks = new ArrayList<>();
        sequences.forEach(sequence -> looks.add(sequence.nextLook()));
        for (Forerunning first : forerunning.values()) {
            if (!first.isOver()) {
                looks.add(first.nextLook());
            }
        }
        soonerKills.forEach(kill -> kill.nextLook().ifPresent(looks::add));
        keptEnds.nextLook().ifPresent(looks::add);
        return looks.stream().mapToLong(Long::longValue).min();
    }
}
