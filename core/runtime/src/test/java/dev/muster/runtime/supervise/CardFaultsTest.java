package dev.muster.runtime.supervise;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.runtime.inputs.ResetFile;
import dev.muster.runtime.report.Cause;
import dev.muster.runtime.report.Verdict;
import dev.muster.spi.EnvironmentChange;
import dev.muster.spi.Launch;
import dev.muster.spi.Outcome;
import dev.muster.spi.ProcessSpec;
import dev.muster.spi.RankInfo;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Process-level recovery: what the list of faults does to an attempt. Time is simulated. */
@Timeout(60)
class CardFaultsTest {

    private long now = 1;
    private final Events events = new Events(() -> now);
    private final ScriptedEffects effects = new ScriptedEffects(events) {
        @Override
        public Optional<ResetFile> resetFile() {
            return Optional.of(new ResetFile(Path.of("/reset.json"), "--reset-file"));
        }
    };
    private final SortedMap<Long, Runnable> later = new TreeMap<>();

    @Test
    @DisplayName("a card fault of a rank of this node ends the attempt with SIGKILL at once")
    void aFaultEndsTheRun() {
        List.of("rank-0", "rank-1", "rank-2").forEach(effects::ignoresTerm);
        at(0, () -> seen());
        at(3, () -> seen(1));

        Verdict verdict = run();

        assertThat(verdict.cause())
                .isEqualTo(new Cause.Decided(
                        75, "the platform lists a fault of rank 1 in /reset.json", new TreeSet<>(List.of(1))));
        assertThat(effects.log)
                .contains("KILL rank-0", "KILL rank-1", "KILL rank-2")
                .noneMatch(line -> line.startsWith("TERM"));
        assertThat(seconds()).isBetween(3.0, 3.1);
    }

    @Test
    @DisplayName("a failure waits for the list if there is one, and a fault in the list becomes the cause")
    void aFailureMayBeAFault() {
        at(0, () -> seen());
        at(1, () -> effects.end("rank-0", 3));
        at(2, () -> effects.end("rank-2", 4));
        at(8, () -> seen(1));

        assertThat(run().cause()).isInstanceOf(Cause.Decided.class);
        assertThat(seconds()).isBetween(8.0, 8.1);
    }

    @Test
    @DisplayName("a failure stays the cause, with its own time, after 10 s without a fault in the list")
    void aFailureWithoutAFaultStaysOne() {
        at(0, () -> seen(5));
        at(1, () -> effects.end("rank-1", 3));
        at(4, () -> effects.end("rank-0", 4));

        Verdict verdict = run();

        assertThat(((Cause.ProcessFailed) verdict.cause()).process().id()).isEqualTo("rank-1");
        assertThat(effects.log).contains("TERM rank-2").noneMatch(line -> line.startsWith("KILL"));
        assertThat(seconds()).isBetween(11.0, 11.1);
    }

    @Test
    @DisplayName("a failure decides at once if there is no list")
    void withoutAListNobodyWaits() {
        at(0, () -> events.post(new Event.FaultsSeen(missing(), now)));
        at(1, () -> effects.end("rank-1", 3));

        assertThat(run().cause()).isInstanceOf(Cause.ProcessFailed.class);
        assertThat(seconds()).isBetween(1.0, 1.1);
    }

    @Test
    @DisplayName("a stop does not wait for the list")
    void aStopDoesNotWait() {
        at(0, () -> seen());
        at(1, () -> effects.end("rank-1", 3));
        at(2, () -> effects.signalLauncher("TERM", 15));

        assertThat(run().cause()).isInstanceOf(Cause.ProcessFailed.class);
        assertThat(seconds()).isBetween(2.0, 2.1);
    }

    @Test
    @DisplayName("faults of ranks of other servers and incomplete lists do not end this attempt")
    void othersFaultsAreOthers() {
        at(0, () -> seen(7));
        at(
                1,
                () -> events.post(
                        new Event.FaultsSeen(new ResetFile.Seen(true, false, new TreeSet<>(List.of(1)), ""), now)));
        at(3, () -> events.post(new Event.FaultsSeen(missing(), now)));
        at(5, () -> List.of("rank-0", "rank-1", "rank-2").forEach(rank -> effects.end(rank, 0)));

        assertThat(run().cause()).isInstanceOf(Cause.Success.class);
    }

    private static ResetFile.Seen missing() {
        return new ResetFile.Seen(false, false, new TreeSet<>(), "");
    }

    private void seen(Integer... faulty) {
        events.post(new Event.FaultsSeen(new ResetFile.Seen(true, true, new TreeSet<>(List.of(faulty)), ""), now));
    }

    private void at(double seconds, Runnable event) {
        later.merge(1 + (long) (seconds * 1e9), event, (one, other) -> () -> {
            one.run();
            other.run();
        });
    }

    private double seconds() {
        return (now - 1) / 1e9;
    }

    private Verdict run() {
        ProcessSpec[] ranks =
                IntStream.range(0, 3).mapToObj(CardFaultsTest::rank).toArray(ProcessSpec[]::new);
        Supervisor supervisor = Supervisor.of(
                Specs.plan(Outcome.ALL_TASKS, ranks),
                Specs.times(Duration.ofSeconds(15)),
                events,
                effects,
                PeerLink.NONE);
        supervisor.begin();
        while (!supervisor.isDone()) {
            while (!later.isEmpty() && later.firstKey() <= now) {
                Objects.requireNonNull(later.remove(later.firstKey())).run();
            }
            effects.look();
            supervisor.goOn();
            pass(supervisor.nextDeadline());
        }
        return supervisor.end();
    }

    /** Moves the time to the next deadline, but by at most 10 ms. */
    private void pass(OptionalLong deadline) {
        long next = now + Duration.ofMillis(10).toNanos();
        now = Math.max(now, Math.min(next, deadline.orElse(next)));
    }

    private static ProcessSpec rank(int rank) {
        Launch launch =
                new Launch(Launch.literally(List.of("train")), EnvironmentChange.NONE, "/", "rank-" + rank + ".txt");
        return ProcessSpec.task("rank-" + rank, launch).withPlacement(new RankInfo(rank, rank, 3));
    }
}
