package dev.muster.runtime.supervise;

import static dev.muster.runtime.supervise.Specs.launch;
import static dev.muster.runtime.supervise.Specs.plan;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.runtime.process.Termination;
import dev.muster.spi.Condition;
import dev.muster.spi.HostedRanks;
import dev.muster.spi.Outcome;
import dev.muster.spi.ProcessSpec;
import java.time.Duration;
import java.util.Collection;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** How stubborn ranks under an mpirun are ended, on a clock that the tests move. */
class ForerunningTest {

    private static final Duration GRACE = Duration.ofSeconds(4);
    private static final Duration MOMENT = Duration.ofMillis(10);
    private static final long SHELL = 500;
    private static final long RANK = 501;
    private static final long MPIRUN = 100;

    private long now;
    private final Events clock = new Events(() -> now);
    private final ScriptedEffects world = new ScriptedEffects(clock) {
        @Override
        public void signalProcesses(String signal, Collection<Long> pids) {
            super.signalProcesses(signal, pids);
            if (signal.equals("KILL")) {
                carriers.keySet().removeAll(pids);
            }
        }
    };
    private final Roster roster = new Roster(plan(
            Outcome.ALL_TASKS,
            ProcessSpec.task("mpirun", launch())
                    .hosts(new HostedRanks(new TreeSet<>(Set.of("RANK")), Condition.IMMEDIATELY, 0, 0))
                    .build()));
    private final RankWatch watch = new RankWatch(roster, clock, world);
    private final Supervised mpirun = roster.get("mpirun");
    private boolean isReady = true;
    private boolean areEndedElsewhere = true;

    @DisplayName("4.4 ranks that ignore SIGTERM get SIGKILL after the grace, before their mpirun is told to end")
    @Test
    void stubbornRanksAreKilledAtTheEndOfTheGrace() {
        world.carriers.put(RANK, Set.of("RANK"));
        Forerunning ranks = begin();

        pass(ranks, GRACE.minus(MOMENT));
        assertThat(world.log).doesNotContain("KILL process 501");
        pass(ranks, MOMENT);

        assertThat(world.log)
                .containsOnlyOnce("TERM process 501")
                .endsWith("say: SIGKILL to 1 process under mpirun after the grace period", "KILL process 501");
        assertThat(ranks.isOver()).as("mpirun may be stopped").isFalse();
    }

    @Test
    void theMpirunMayEndByItselfForHalfOfItsOwnTime() {
        world.carriers.put(RANK, Set.of("RANK"));
        Forerunning ranks = begin();
        pass(ranks, GRACE);

        pass(ranks, GRACE.dividedBy(2).minus(MOMENT));
        assertThat(ranks.isOver()).isFalse();
        pass(ranks, MOMENT);

        assertThat(ranks.isOver()).isTrue();
        assertThat(ranks.rest()).isEqualTo(GRACE.dividedBy(2).toNanos());
    }

    @Test
    void whenItHasEndedNothingIsWaitedFor() {
        world.carriers.put(RANK, Set.of("RANK"));
        Forerunning ranks = begin();
        pass(ranks, GRACE);

        mpirun.ended(Termination.exited(0), now);

        assertThat(ranks.advance()).isTrue();
    }

    @DisplayName("4.7 when the shell around mpirun is killed, mpirun is told after its ranks, which have the grace")
    @Test
    void whoHadTheRanksOfAKilledProcessIsToldAfterThem() {
        world.carriers.put(SHELL, Set.of("RANK"));
        world.carriers.put(RANK, Set.of("RANK"));
        world.startedRanks.add(new RankNotes.Started(0, SHELL, 1));
        Forerunning ranks = begin();
        world.leaveBehind(MPIRUN + 1, mpirun.pid(), true);
        mpirun.ended(Termination.signalled(9), now);

        pass(ranks, GRACE.minus(MOMENT));
        assertThat(ranks.isOver()).as("ranks save").isFalse();
        world.carriers.clear();
        ranks.advance();
        assertThat(ranks.isOver()).as("mpirun ends by itself").isFalse();
        world.signalProcesses("KILL", Set.of(MPIRUN + 1));

        assertThat(ranks.advance()).isTrue();
        assertThat(world.log).containsOnlyOnce("TERM process 501").doesNotContain("KILL process 501");
    }

    @DisplayName("4.4 the shell of a rank tells mpirun of the end, and is killed only where it stays")
    @Test
    void shellsAreKilledLast() {
        world.carriers.put(SHELL, Set.of("RANK"));
        world.carriers.put(RANK, Set.of("RANK"));
        world.startedRanks.add(new RankNotes.Started(0, SHELL, 1));
        Forerunning ranks = begin();

        pass(ranks, GRACE.plusMillis(900));
        assertThat(world.log).contains("KILL process 501").doesNotContain("KILL process 500");
        pass(ranks, Duration.ofMillis(200));

        assertThat(world.log).contains("KILL process 500");
    }

    @DisplayName(
            "4.13 the shell of a rank that has just been forked is not told: mpirun would end the others when it dies of it")
    @Test
    void aShellThatHasNotedNothingYetIsNotTold() {
        world.carriers.put(SHELL, Set.of("RANK"));
        world.startedRanks.add(new RankNotes.Started(0, SHELL, 1));
        beingForked(SHELL + 10, SHELL + 11);
        Forerunning ranks = begin();
        assertThat(world.log).contains("TERM process 500");

        world.startedRanks.add(new RankNotes.Started(1, SHELL + 10, 1));
        pass(ranks, MOMENT.multipliedBy(5));
        assertThat(world.log).containsOnlyOnce("TERM process 510").doesNotContain("TERM process 511");

        world.ages.replaceAll((pid, age) -> Duration.ofSeconds(1));
        pass(ranks, GRACE.dividedBy(8));
        assertThat(world.log).containsOnlyOnce("TERM process 511").containsOnlyOnce("TERM process 510");
    }

    @Test
    void whereNobodyNotesAnythingYoungRanksAreToldAtOnce() {
        beingForked(RANK);
        begin();

        assertThat(world.log).contains("TERM process 501");
    }

    @Test
    void whereNoRankIsLeftHereAndNobodyEndsThoseOfOthersMpirunIsStoppedAtOnce() {
        isReady = false;
        areEndedElsewhere = false;
        Forerunning ranks = begin();

        pass(ranks, GRACE.minus(MOMENT));
        assertThat(ranks.isOver()).isFalse();
        pass(ranks, MOMENT);

        assertThat(ranks.isOver()).isTrue();
        assertThat(ranks.rest()).isEqualTo(GRACE.toNanos());
    }

    @Test
    void whereOtherLaunchersKillTheirsItMayEndByItself() {
        isReady = false;
        Forerunning ranks = begin();

        pass(ranks, GRACE.plus(GRACE.dividedBy(2)).minus(MOMENT));

        assertThat(ranks.isOver()).isFalse();
        pass(ranks, MOMENT);
        assertThat(ranks.isOver()).isTrue();
    }

    @Test
    void moreTimeDoesNotBringBackWhoWasKilled() {
        world.carriers.put(RANK, Set.of("RANK"));
        Forerunning ranks = begin();
        pass(ranks, GRACE);

        ranks.putOff(now + GRACE.toNanos());
        pass(ranks, GRACE.dividedBy(2));

        assertThat(ranks.isOver()).isTrue();
    }

    @Test
    void aSecondInterruptKillsShellsAndRanksAtOnce() {
        world.carriers.put(SHELL, Set.of("RANK"));
        world.carriers.put(RANK, Set.of("RANK"));
        world.startedRanks.add(new RankNotes.Started(0, SHELL, 1));
        Forerunning ranks = begin();

        ranks.hurry();

        assertThat(ranks.advance()).isTrue();
        assertThat(world.log).contains("KILL process 500", "KILL process 501");
    }

    /** As children of mpirun, a moment ago. */
    private void beingForked(long... pids) {
        for (long pid : pids) {
            world.carriers.put(pid, Set.of("RANK"));
            world.parents.put(pid, MPIRUN);
            world.ages.put(pid, MOMENT);
        }
    }

    private Forerunning begin() {
        mpirun.starting(now);
        mpirun.started(world.start(mpirun.spec()));
        RankStops stops = new RankStops(new RankSignals(pid -> false), watch, () -> false, areEndedElsewhere);
        Forerunning ranks = new Forerunning(world, clock, mpirun, StopTimes.withGrace(GRACE), () -> isReady, stops);
        ranks.begin();
        return ranks;
    }

    /** As the event loop does it: whenever it is time to look. */
    private void pass(Forerunning ranks, Duration length) {
        long until = now + length.toNanos();
        while (!ranks.isOver() && ranks.nextLook() <= until) {
            now = Math.max(now, ranks.nextLook());
            ranks.advance();
        }
        now = until;
    }
}
