package dev.muster.runtime.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SignalsHeedTest {

    private static final Duration NO_TIME = Duration.ofMillis(1);

    private final Signals signals = Signals.delivered();
    private final List<Signals.ReceivedSignal> passedOn = new ArrayList<>();

    @Test
    void whatNobodyHasTakenNoticeOfIsUnheeded() {
        assertThat(signals.awaitHeed(NO_TIME)).isTrue();
        signals.deliver("TERM", 15);
        assertThat(signals.awaitHeed(NO_TIME)).isFalse();
        signals.stopRequest();
        assertThat(signals.awaitHeed(NO_TIME)).isTrue();
    }

    @Test
    void whatAListenerGetsIsHeeded() {
        signals.listen(passedOn::add);
        signals.deliver("TERM", 15);
        assertThat(signals.awaitHeed(NO_TIME)).isTrue();
    }

    @Test
    void whatIsPassedOnIsHeededWhenItIsTaken() {
        signals.deliver("TERM", 15);
        signals.passOn(passedOn::add);
        signals.deliver("TERM", 15);
        assertThat(passedOn).hasSize(2);
        signals.taken();
        assertThat(signals.awaitHeed(NO_TIME)).isFalse();
        signals.taken();
        assertThat(signals.awaitHeed(NO_TIME)).isTrue();
    }

    @Test
    void afterTheRunNobodyTakesAnything() {
        signals.passOn(passedOn::add);
        signals.deliver("TERM", 15);
        signals.noneIsTaken();
        assertThat(signals.awaitHeed(NO_TIME)).isTrue();
        signals.deliver("TERM", 15);
        assertThat(signals.awaitHeed(NO_TIME)).isTrue();
    }
}
