package dev.muster.runtime.conditions;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class PortStateTest {

    private static final long MINUTE = TimeUnit.MINUTES.toNanos(1);

    private final PortState.Opening opening = new PortState.Opening(new Sighting());
    private final PortState.Closing closing = new PortState.Closing(MINUTE, OptionalLong.empty(), new Sighting());

    @Test
    void anOpenPortIsRemembered() {
        opening.answered(Answer.REFUSED, 0);
        assertThat(opening.isMet()).isFalse();
        assertThat(opening.finding()).isEqualTo("refuses connections");

        opening.answered(Answer.OPEN, 1);
        opening.answered(Answer.REFUSED, 2);
        assertThat(opening.isMet()).isTrue();
    }

    @Test
    void silenceOpensNothing() {
        opening.answered(Answer.SILENT, 0);
        assertThat(opening.finding()).isEqualTo("does not answer");
        opening.answered(Answer.UNKNOWN_HOST, 1);
        assertThat(opening.finding()).isEqualTo("cannot be found: its name has no address");

        assertThat(opening.isMet()).isFalse();
    }

    @Test
    void waitsFrequentlyAtFirstAndThenFourTimesASecond() {
        assertThat(opening.pause()).isEqualTo(TimeUnit.MILLISECONDS.toNanos(20));
        long last = 0;
        for (int probe = 0; probe < 10; probe++) {
            last = opening.pause();
        }
        assertThat(last).isEqualTo(TimeUnit.MILLISECONDS.toNanos(250));
    }

    @Test
    void aPortThatWasNeverOpenIsNotClosed() {
        closing.answered(Answer.REFUSED, 0);
        closing.answered(Answer.REFUSED, 2 * MINUTE);

        assertThat(closing.isMet()).isFalse();
        assertThat(closing.finding()).isEqualTo("has not been open yet");
    }

    @Test
    void aPortIsClosedWhenItRefusesLongEnough() {
        closing.answered(Answer.OPEN, 0);
        closing.answered(Answer.REFUSED, 1);
        closing.answered(Answer.REFUSED, MINUTE);
        assertThat(closing.isMet()).isFalse();
        assertThat(closing.finding()).isEqualTo("was open and now refuses connections");

        closing.answered(Answer.REFUSED, MINUTE + 1);
        assertThat(closing.isMet()).isTrue();
    }

    @Test
    void aPortThatOpensAgainStartsTheCountAnew() {
        closing.answered(Answer.OPEN, 0);
        closing.answered(Answer.REFUSED, 1);
        closing.answered(Answer.OPEN, MINUTE / 2);
        closing.answered(Answer.REFUSED, MINUTE);
        closing.answered(Answer.REFUSED, 2 * MINUTE - 1);

        assertThat(closing.isMet()).isFalse();
    }

    @Test
    void silenceIsNoRefusal() {
        closing.answered(Answer.OPEN, 0);
        closing.answered(Answer.REFUSED, 1);
        closing.answered(Answer.SILENT, MINUTE / 2);
        closing.answered(Answer.SILENT, 10 * MINUTE);
        assertThat(closing.isMet()).isFalse();

        closing.answered(Answer.REFUSED, 11 * MINUTE);
        assertThat(closing.isMet()).isFalse();
        closing.answered(Answer.REFUSED, 12 * MINUTE);
        assertThat(closing.isMet()).isTrue();
    }

    @Test
    void refusalsBeforeItWasOpenDoNotCount() {
        closing.answered(Answer.REFUSED, 0);
        closing.answered(Answer.OPEN, 2 * MINUTE);
        closing.answered(Answer.REFUSED, 2 * MINUTE + 1);

        assertThat(closing.isMet()).isFalse();
    }

    /** Else a job could wait for ever: not for the port to open, as it did, and not for its end, as it was never open. */
    @Test
    void whatOneConditionSawOpenWasOpenForTheOther() {
        Sighting port = new Sighting();
        PortState.Opening open = new PortState.Opening(port);
        PortState.Closing closed = new PortState.Closing(seconds(5), OptionalLong.empty(), port);
        closed.answered(Answer.REFUSED, 0);
        open.answered(Answer.OPEN, seconds(8));
        closed.answered(Answer.REFUSED, seconds(9));
        assertThat(closed.isMet()).isFalse();

        closed.answered(Answer.REFUSED, seconds(13));
        assertThat(closed.isMet()).isTrue();
    }

    @Test
    void whatIsSeenOpenBeforeItIsClosedHasOpened() {
        Sighting port = new Sighting();
        PortState.Opening open = new PortState.Opening(port);
        new PortState.Closing(seconds(5), OptionalLong.empty(), port).answered(Answer.OPEN, 1);
        open.answered(Answer.REFUSED, 2);

        assertThat(open.isMet()).isTrue();
    }

    @Test
    void disturbsAnOpenPortOnlyOnceASecond() {
        closing.answered(Answer.OPEN, 0);
        assertThat(closing.pause()).isEqualTo(TimeUnit.SECONDS.toNanos(1));

        closing.answered(Answer.REFUSED, 1);
        assertThat(closing.pause()).isEqualTo(TimeUnit.MILLISECONDS.toNanos(250));
    }

    @Test
    void aPortThatRefusesNeedsNotBeSilentForLong() {
        PortState either = closing(5, 60);
        either.answered(Answer.OPEN, 0);
        either.answered(Answer.REFUSED, 1);
        assertThat(either.isMet()).isFalse();

        either.answered(Answer.REFUSED, seconds(5) + 1);
        assertThat(either.isMet()).isTrue();
    }

    @Test
    void aPortThatIsNotOpenForLongIsClosedWhateverItAnswers() {
        PortState either = closing(5, 60);
        either.answered(Answer.OPEN, 0);
        either.answered(Answer.SILENT, 1);
        either.answered(Answer.REFUSED, seconds(20));
        either.answered(Answer.UNKNOWN_HOST, seconds(21));
        either.answered(Answer.REFUSED, seconds(57));
        either.answered(Answer.UNRESOLVED, seconds(60));
        assertThat(either.isMet()).isFalse();
        assertThat(either.finding())
                .isEqualTo("was open and now cannot be found: the look-up of its name gets no answer");

        either.answered(Answer.SILENT, seconds(60) + 1);
        assertThat(either.isMet()).isTrue();
    }

    @Test
    void anOpenPortEndsItsSilence() {
        PortState either = closing(5, 60);
        either.answered(Answer.OPEN, 0);
        either.answered(Answer.SILENT, 1);
        either.answered(Answer.OPEN, seconds(59));
        either.answered(Answer.SILENT, seconds(60));
        either.answered(Answer.SILENT, seconds(119));
        assertThat(either.isMet()).isFalse();

        either.answered(Answer.SILENT, seconds(120));
        assertThat(either.isMet()).isTrue();
    }

    @Test
    void silenceBeforeItWasOpenDoesNotCount() {
        PortState either = closing(5, 60);
        either.answered(Answer.SILENT, 0);
        either.answered(Answer.SILENT, seconds(600));
        assertThat(either.isMet()).isFalse();

        either.answered(Answer.OPEN, seconds(601));
        either.answered(Answer.SILENT, seconds(602));
        assertThat(either.isMet()).isFalse();
    }

    @Test
    void aRefusalIsCountedToTheEndOfItsTimeAndNotLonger() {
        PortState either = closing(5, 60);
        either.answered(Answer.OPEN, 0);
        either.answered(Answer.REFUSED, seconds(1));
        either.answered(Answer.REFUSED, seconds(6) - TimeUnit.MILLISECONDS.toNanos(30));

        assertThat(either.pause()).isEqualTo(TimeUnit.MILLISECONDS.toNanos(30));
    }

    private static PortState closing(long lasting, long silent) {
        return new PortState.Closing(seconds(lasting), OptionalLong.of(seconds(silent)), new Sighting());
    }

    private static long seconds(long seconds) {
        return TimeUnit.SECONDS.toNanos(seconds);
    }
}
