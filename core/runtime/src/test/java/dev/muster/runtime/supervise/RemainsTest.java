package dev.muster.runtime.supervise;

import static dev.muster.runtime.supervise.Specs.launch;
import static dev.muster.runtime.supervise.Specs.plan;
import static dev.muster.runtime.supervise.Specs.task;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.runtime.process.Termination;
import dev.muster.spi.Condition;
import dev.muster.spi.HostedRanks;
import dev.muster.spi.Outcome;
import dev.muster.spi.ProcessSpec;
import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** When what ranks leave behind is ended while their mpirun waits for it, on a clock that the tests move. */
class RemainsTest {

    private static final Duration GRACE = Duration.ofSeconds(5);
    private static final long RANK = 501;
    private static final long LEFT = 502;

    private long now;
    private final Events clock = new Events(() -> now);
    private final ScriptedEffects world = new ScriptedEffects(clock);
    private final Roster roster = new Roster(plan(Outcome.ALL_TASKS, task("other"), mpirun()));
    private final RankWatch ranks = new RankWatch(roster, clock, world);
    private final RankSignals signals = new RankSignals(pid -> false);
    private final Remains remains = new Remains(ranks, StopTimes.withGrace(GRACE), signals, clock, world);
    private long mpirun;

    @BeforeEach
    void startMpirun() {
        Supervised process = roster.get("mpirun");
        process.starting(now);
        mpirun = world.start(process.spec());
        process.started(mpirun);
        world.log.clear();
        world.carriers.put(LEFT, Set.of("RANK"));
        world.startedRanks.add(new RankNotes.Started(0, RANK, 1));
    }

    @Test
    void whatEndedRanksLeftGetsTheSignalAndIsNamed() {
        pass(Duration.ofSeconds(2));

        assertThat(world.log)
                .containsExactly(
                        "say: mpirun (pid " + mpirun + "): its ended processes left process 502 (child502) behind;"
                                + " stopping it",
                        "TERM process 502",
                        "CONT process 502");
        assertThat(signals.due(world.carriers(Set.of("RANK")), now))
                .as("who hears of a stop that comes then")
                .isEmpty();
    }

    @Test
    void itIsKilledAfterTheGracePeriod() {
        pass(Duration.ofSeconds(5));
        assertThat(world.log).doesNotContain("KILL process 502");

        pass(Duration.ofSeconds(2));
        assertThat(world.log).contains("KILL process 502").containsOnlyOnce("TERM process 502");
    }

    @Test
    void nothingIsTouchedWhileARankLives() {
        world.carriers.put(RANK, Set.of("RANK"));
        world.parents.put(RANK, mpirun);
        pass(Duration.ofSeconds(20));
        assertThat(world.log).isEmpty();

        world.carriers.remove(RANK);
        pass(Duration.ofSeconds(3));
        assertThat(world.log).contains("TERM process 502");
    }

    @Test
    void whoIsSeenOnlyOnceHasEndedByItself() {
        pass(Duration.ofSeconds(1));
        world.carriers.clear();
        pass(Duration.ofSeconds(5));
        assertThat(world.log).isEmpty();
    }

    @Test
    void whatRemainsStartAfterTheSignalGetsItToo() {
        pass(Duration.ofSeconds(2));
        world.carriers.put(503L, Set.of("RANK"));
        world.parents.put(503L, LEFT);
        pass(Duration.ofSeconds(1));
        assertThat(world.log).contains("TERM process 503");
    }

    @Test
    void theMachineIsNotSearchedWhileARankLivesNorAgainWhenNothingIsLeft() {
        world.carriers.put(RANK, Set.of("RANK"));
        pass(Duration.ofSeconds(20));
        assertThat(world.searches).isZero();

        world.carriers.clear();
        pass(Duration.ofSeconds(20));
        assertThat(world.searches).isOne();

        world.startedRanks.add(new RankNotes.Started(1, 503, 1));
        pass(Duration.ofSeconds(20));
        assertThat(world.searches).isEqualTo(2);
    }

    @Test
    void nobodyIsLookedForBeforeTheFirstRank() {
        world.startedRanks.clear();
        pass(Duration.ofSeconds(20));
        assertThat(world.searches).isZero();
    }

    @Test
    void thereIsNothingToLookForWithoutAProcessThatHostsRanks() {
        roster.get("mpirun").ended(Termination.exited(0), now);
        pass(Duration.ofSeconds(5));

        assertThat(remains.nextLook()).isEmpty();
        assertThat(world.log).isEmpty();
    }

    /** Looks whenever a look is due, as the event loop does. */
    private void pass(Duration time) {
        long end = now + time.toNanos();
        look();
        while (nextLook() <= end) {
            now = nextLook();
            look();
        }
        now = end;
    }

    private void look() {
        assertThat(ranks.look()).isEmpty();
        remains.look();
    }

    private long nextLook() {
        return Math.min(
                ranks.nextLook().orElse(Long.MAX_VALUE), remains.nextLook().orElse(Long.MAX_VALUE));
    }

    private static ProcessSpec mpirun() {
        return ProcessSpec.task("mpirun", launch())
                .hosts(new HostedRanks(new TreeSet<>(Set.of("RANK")), Condition.IMMEDIATELY, 0, 0))
                .build();
    }
}
