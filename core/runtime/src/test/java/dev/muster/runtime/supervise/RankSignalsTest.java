package dev.muster.runtime.supervise;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Who of the ranks under an mpirun hears of a stop, and how often. */
class RankSignalsTest {

    private static final long RANK = 501;
    private static final long CHILD = 502;
    private static final long GRANDCHILD = 503;
    private static final long MPIRUN = 400;
    private static final int OLD = -10_000;

    private final Set<Long> endingByTerm = new HashSet<>();
    private final RankSignals signals = new RankSignals(endingByTerm::contains);
    /** The stop comes at 0. */
    private int now;
    /** What all have become. */
    private int program = 1;

    @Test
    void eachHearsOnce() {
        assertThat(due(rank(OLD), child(OLD))).containsExactly(RANK, CHILD);
        assertThat(at(10, rank(OLD), child(OLD))).isEmpty();
        assertThat(at(5000, rank(OLD), child(OLD))).isEmpty();
    }

    @Test
    void whatARankStartsToSaveItsStateIsLeftInPeace() {
        due(rank(OLD));

        assertThat(at(10, rank(OLD), child(5))).isEmpty();
        assertThat(at(500, rank(OLD), child(5), grandchild(400))).isEmpty();
    }

    @Test
    void aRankThatIsStillBeingStartedHears() {
        due(rank(OLD));

        assertThat(at(10, rank(OLD), carrier(600, MPIRUN, 5))).containsExactly(600L);
    }

    /** A shell that forks when the signal comes ends by it and leaves its new child without. */
    @Test
    void whatARankHasLeftAloneHears() {
        due(rank(OLD));
        assertThat(at(10, rank(OLD), child(1))).isEmpty();

        assertThat(at(20, child(1))).containsExactly(CHILD);
        assertThat(at(200, child(1))).isEmpty();
    }

    /** A busy machine may need long from fork to program: SIGTERM would end it, and has not. */
    @Test
    void whoLostTheSignalHearsAgain() {
        due(rank(OLD), child(-500));

        program = 2;
        assertThat(at(150, rank(OLD), child(-500))).isEmpty();
        endingByTerm.add(CHILD);
        assertThat(at(160, rank(OLD), child(-500))).containsExactly(CHILD);
        assertThat(at(200, rank(OLD), child(-500))).isEmpty();
        assertThat(at(500, rank(OLD), child(-500))).isEmpty();
    }

    @DisplayName("6.3b whose first thread has ended, so that its program is not seen any more, hears once")
    @Test
    void whoLosesItsFirstThreadHearsOnce() {
        due(rank(OLD));

        program = 0;
        endingByTerm.add(RANK);

        assertThat(at(160, rank(OLD))).isEmpty();
    }

    @DisplayName("4.21 a rank whose handler is for one time saves its state and hears once")
    @Test
    void whoHasHadAHandlerForOneTimeHearsOnce() {
        due(rank(OLD));

        endingByTerm.add(RANK);

        assertThat(at(160, rank(OLD))).isEmpty();
        assertThat(at(5000, rank(OLD))).isEmpty();
    }

    /** The shell around a rank has heard, but the rank itself, which it was just forking, has not. */
    @Test
    void aRankWhoseShellWasJustStartedHears() {
        due(rank(-10));

        assertThat(at(10, rank(-10), child(5))).containsExactly(CHILD);
        assertThat(at(50, rank(-10), child(5), grandchild(40))).isEmpty();
    }

    @Test
    void aNumberThatIsUsedAgainIsSomebodyElse() {
        due(rank(OLD));

        assertThat(at(5000, carrier(RANK, MPIRUN, 4000))).containsExactly(RANK);
    }

    private List<Long> at(int time, Effects.Carrier... there) {
        now = time;
        return due(there);
    }

    private List<Long> due(Effects.Carrier... there) {
        List<Effects.Carrier> carriers = List.of(there).stream()
                .map(carrier -> new Effects.Carrier(
                        carrier.pid(),
                        carrier.parent(),
                        carrier.name(),
                        carrier.isLed(),
                        carrier.age().plusMillis(now),
                        program))
                .toList();
        return signals.due(carriers, Duration.ofMillis(now).toNanos());
    }

    private static Effects.Carrier rank(int bornAt) {
        return carrier(RANK, MPIRUN, bornAt);
    }

    private static Effects.Carrier child(int bornAt) {
        return carrier(CHILD, RANK, bornAt);
    }

    private static Effects.Carrier grandchild(int bornAt) {
        return carrier(GRANDCHILD, CHILD, bornAt);
    }

    /** Its age is what it would be at 0. */
    private static Effects.Carrier carrier(long pid, long parent, int bornAt) {
        return new Effects.Carrier(pid, parent, "sh", parent == MPIRUN, Duration.ofMillis(-bornAt), 1);
    }
}
