package dev.muster.runtime.supervise;

import static dev.muster.runtime.supervise.Specs.launch;
import static dev.muster.runtime.supervise.Specs.plan;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.runtime.link.JobEnd;
import dev.muster.runtime.process.Termination;
import dev.muster.runtime.report.Cause;
import dev.muster.spi.Condition;
import dev.muster.spi.HostedRanks;
import dev.muster.spi.Outcome;
import dev.muster.spi.ProcessSpec;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Which rank under an mpirun is the origin of an end, on a clock that the tests move. */
class RankWatchTest {

    private static final int KILLED = 137;
    private static final int TERMINATED = 143;

    private long now = Duration.ofMinutes(1).toNanos();
    private final Events clock = new Events(() -> now);
    private final ScriptedEffects world = new ScriptedEffects(clock);
    private final Roster roster = new Roster(plan(Outcome.ALL_TASKS, mpirun()));
    private final RankWatch ranks = new RankWatch(roster, clock, world);

    @BeforeEach
    void startMpirun() {
        Supervised process = roster.get("mpirun");
        process.starting(now);
        process.started(world.start(process.spec()));
    }

    @Test
    void aRankThatEndsBadlyByItselfEndsTheJobAtOnce() {
        world.startedRanks.add(new RankNotes.Started(4, 71, 1));
        failed(4, 3, 0);

        Optional<RankNotes.Failed> failed = look(Duration.ofMillis(50));

        assertThat(failed).isPresent();
        assertThat(ranks.cause(failed.get())).isInstanceOfSatisfying(Cause.ProcessFailed.class, cause -> {
            assertThat(cause.process().id()).isEqualTo("rank-4");
            assertThat(cause.process().placement().orElseThrow().rank()).isEqualTo(4);
            assertThat(cause.pid()).isEqualTo(71);
            assertThat(cause.termination().exitCode()).isEqualTo(3);
            assertThat(cause.reason()).isEmpty();
        });
    }

    @Test
    void usersAreToldTheRanksOwnPid() {
        world.startedRanks.add(new RankNotes.Started(4, 71, 1));
        look(Duration.ofMillis(50));
        assertThat(ranks.pid(4)).isEqualTo(71);

        world.privateTexts.put("pid.4", "72\n");
        assertThat(ranks.pid(4)).isEqualTo(72);
        failed(4, 3, 0);
        assertThat(ranks.cause(look(Duration.ofMillis(50)).orElseThrow()))
                .isInstanceOfSatisfying(
                        Cause.ProcessFailed.class,
                        cause -> assertThat(cause.pid()).isEqualTo(72));

        world.privateTexts.put("pid.4", "");
        assertThat(ranks.pid(4)).isEqualTo(71);
    }

    @Test
    void theFirstInTimeCounts() {
        failed(1, 5, 10);
        failed(2, 3, 30);
        failed(3, KILLED, 50);

        assertThat(look(Duration.ofMillis(50)))
                .hasValueSatisfying(first -> assertThat(first.rank()).isEqualTo(3));
    }

    /** An mpirun ends its ranks by these signals for many reasons. */
    @Test
    void whatASignalEndedIsTheOriginOnlyWhenNothingElseIs() {
        failed(2, KILLED, 0);

        assertThat(look(Duration.ofSeconds(6))).isEmpty();
        assertThat(look(Duration.ofSeconds(3))).isPresent();
    }

    /** The kernel, short of memory, kills one process. */
    @Test
    void whatASignalEndedAloneIsTheOrigin() {
        world.failedRanks.add(new RankNotes.Failed(2, Termination.signalled(9), Optional.empty(), true, now));

        assertThat(look(Duration.ofMillis(50)))
                .hasValueSatisfying(first -> assertThat(first.rank()).isEqualTo(2));
    }

    @Test
    void theCodeOfTheirMpirunTellsWhichItWas() {
        failed(1, TERMINATED, 30);
        failed(2, KILLED, 20);
        failed(3, KILLED, 10);

        assertThat(ranks.explaining(mpirunEnded(KILLED)))
                .hasValueSatisfying(first -> assertThat(first.rank()).isEqualTo(2));
        assertThat(ranks.explaining(mpirunEnded(5))).isEmpty();
        assertThat(ranks.cause(ranks.explaining(mpirunEnded(TERMINATED)).orElseThrow()))
                .isInstanceOf(Cause.StoppedFromOutside.class);
    }

    @Test
    void aRankElsewhereMayHaveFailedBecauseOfOneHere() {
        failed(1, KILLED, 30);

        assertThat(ranks.explaining(elsewhere(JobEnd.Kind.FAILED, 1, OptionalInt.of(5))))
                .isPresent();
        assertThat(ranks.explaining(elsewhere(JobEnd.Kind.FAILED, 1, OptionalInt.empty())))
                .isEmpty();
        assertThat(ranks.explaining(elsewhere(JobEnd.Kind.FAILED, KILLED, OptionalInt.empty())))
                .isPresent();
        assertThat(ranks.explaining(elsewhere(JobEnd.Kind.LOST, KILLED, OptionalInt.empty())))
                .isEmpty();
    }

    @Test
    void theProgramThatWasNotFoundIsNamed() {
        world.failedRanks.add(new RankNotes.Failed(0, Termination.exited(127), Optional.of("nosuch"), false, now));

        assertThat(ranks.cause(look(Duration.ofMillis(50)).orElseThrow()))
                .isInstanceOfSatisfying(
                        Cause.ProcessFailed.class,
                        cause -> assertThat(cause.reason()).contains("nosuch was not found"));
    }

    @Test
    void nobodyLooksWhenNothingRunsThatHostsRanks() {
        roster.get("mpirun").ended(Termination.exited(0), now);
        failed(0, 3, 0);

        assertThat(look(Duration.ofSeconds(10))).isEmpty();
        assertThat(ranks.nextLook()).isEmpty();
    }

    private Optional<RankNotes.Failed> look(Duration later) {
        Optional<RankNotes.Failed> failed = ranks.look();
        now += later.toNanos();
        return failed.isPresent() ? failed : ranks.look();
    }

    private void failed(int rank, int code, long millisAgo) {
        world.failedRanks.add(new RankNotes.Failed(
                rank,
                Termination.ofExitValue(code),
                Optional.empty(),
                false,
                now - Duration.ofMillis(millisAgo).toNanos()));
    }

    private static Cause mpirunEnded(int code) {
        return new Cause.ProcessFailed(mpirun(), 1, Termination.ofExitValue(code), Optional.empty());
    }

    private static Cause elsewhere(JobEnd.Kind kind, int code, OptionalInt rank) {
        return new Cause.Elsewhere(
                new JobEnd(
                        kind,
                        "node-1",
                        Optional.empty(),
                        code,
                        OptionalInt.empty(),
                        "it ended",
                        Optional.of("x"),
                        rank,
                        OptionalLong.empty(),
                        Optional.empty()),
                OptionalInt.empty());
    }

    private static ProcessSpec mpirun() {
        return ProcessSpec.task("mpirun", launch())
                .hosts(new HostedRanks(new TreeSet<>(List.of("RANK")), Condition.IMMEDIATELY, 0, 0))
                .build();
    }
}
