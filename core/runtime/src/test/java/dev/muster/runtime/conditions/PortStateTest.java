package dev.muster.runtime.conditions;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class PortStateTest {

    private static final long MINUTE = TimeUnit.MINUTES.toNanos(1);

    private final PortState.Opening opening = new PortState.Opening();
    private final PortState.Closing closing = new PortState.Closing(MINUTE, OptionalLong.empty());

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

    @Test
    void disturbsAnOpenPortOnlyOnceASecond() {
        closing.answered(Answer.OPEN, 0);
        assertThat(closing.pause()).isEqualTo(TimeUnit.SECONDS.toNanos(1));

        closing.answered(Answer.REFUSED, 1);
        assertThat(closing.pause()).isEqualTo(TimeUnit.MILLISECONDS.toNanos(250));
    }
}
