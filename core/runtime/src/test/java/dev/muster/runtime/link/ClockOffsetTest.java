package dev.muster.runtime.link;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;

class ClockOffsetTest {

    private static final long MILLI = 1_000_000;
    private static final long AHEAD = 3_000_000_000_000L;

    private final ClockOffset clock = new ClockOffset();

    /** Ours leaves at a time, takes so long, is answered after so long, and the answer takes so long. */
    private long trip(long sentHere, long there, long held, long back) {
        long now = sentHere + there + held + back;
        clock.sample(sentHere, held, sentHere + there + held + AHEAD, now);
        return now;
    }

    @Test
    void knowsNothingBeforeTheFirstAnswer() {
        assertThat(clock.here(AHEAD, 17)).isEqualTo(17);
        assertThat(clock.uncertainty(17)).isEqualTo(ClockOffset.UNKNOWN);
    }

    @Test
    void isExactWhereBothWaysTakeEquallyLong() {
        long now = trip(100 * MILLI, 5 * MILLI, 900 * MILLI, 5 * MILLI);

        assertThat(clock.here(AHEAD + 50 * MILLI, now)).isEqualTo(50 * MILLI);
        assertThat(clock.uncertainty(now)).isEqualTo(5 * MILLI);
    }

    @Test
    void theTruthLiesWithinTheUncertainty() {
        Random random = new Random(1);
        long now = 0;
        for (int trip = 0; trip < 1000; trip++) {
            now = trip(now, random.nextInt(50) * MILLI, 1000 * MILLI, random.nextInt(50) * MILLI);
            long time = now - 500 * MILLI;
            assertThat(Math.abs(clock.here(AHEAD + time, now) - time))
                    .as("trip %d", trip)
                    .isLessThanOrEqualTo(clock.uncertainty(now));
        }
    }

    @Test
    void keepsTheShortestTripUntilClocksMayHaveDrifted() {
        trip(0, MILLI, 0, MILLI);
        long soon = trip(1000 * MILLI, 20 * MILLI, 0, 2 * MILLI);
        assertThat(clock.uncertainty(soon)).isLessThan(2 * MILLI);

        long late = trip(200_000 * MILLI, 20 * MILLI, 0, 2 * MILLI);
        assertThat(clock.uncertainty(late)).isEqualTo(11 * MILLI);
    }

    @Test
    void nothingHappenedLaterThanItWasHeardOf() {
        long now = trip(0, MILLI, 0, MILLI);

        assertThat(clock.here(AHEAD + now + 10 * MILLI, now)).isEqualTo(now);
    }

    @Test
    void doesNotBelieveAnswersThatCameBeforeTheQuestion() {
        clock.sample(100, 200, AHEAD, 150);
        clock.sample(100, -1, AHEAD, 150);

        assertThat(clock.uncertainty(150)).isEqualTo(ClockOffset.UNKNOWN);
    }
}
