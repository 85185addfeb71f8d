package dev.muster.runtime.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class SignalsTest {

    private static final Duration LONG = Duration.ofMinutes(10);

    private final Signals signals = Signals.delivered();

    /** Entry 1: a stop while a run is ending is one between two runs. */
    @Test
    void whatAListenerWasToldIsKeptForTheNext() {
        List<String> first = new ArrayList<>();
        signals.deliver("INT", 2);
        signals.listen(signal -> first.add(signal.name()));
        signals.deliver("USR1", 10);
        signals.deliver("TERM", 15);
        assertThat(signals.areToStop()).isFalse();

        signals.keepAgain();

        assertThat(signals.stopRequest()).contains(new Signals.ReceivedSignal("INT", 2));
        signals.deliver("USR2", 12);
        List<String> second = new ArrayList<>();
        signals.listen(signal -> second.add(signal.name()));
        assertThat(first).containsExactly("INT", "USR1", "TERM");
        assertThat(second).containsExactly("INT", "TERM", "USR2");
    }

    @Test
    void aPauseEndsAtItsEnd() {
        assertThat(signals.goOnAfter(Duration.ofMillis(1))).isTrue();
    }

    @Test
    void aSignalThatAsksToStopEndsEveryPause() throws Exception {
        CompletableFuture<Boolean> goesOn = CompletableFuture.supplyAsync(() -> signals.goOnAfter(LONG));

        signals.deliver("TERM", 15);

        assertThat(goesOn.get(20, TimeUnit.SECONDS)).isFalse();
        assertThat(signals.goOnAfter(LONG)).isFalse();
        assertThat(signals.stopRequest()).map(Signals.ReceivedSignal::name).contains("TERM");
    }

    @Test
    void anOrderEndsEveryPauseAndIsNoSignal() throws Exception {
        CompletableFuture<Boolean> goesOn = CompletableFuture.supplyAsync(() -> signals.goOnAfter(LONG));

        signals.orderStop();

        assertThat(goesOn.get(20, TimeUnit.SECONDS)).isFalse();
        assertThat(signals.areToStop()).isTrue();
        assertThat(signals.stopRequest()).isEmpty();
    }

    @Test
    void whatIsForTheRanksStopsNothing() {
        signals.deliver("USR1", 10);

        assertThat(signals.areToStop()).isFalse();
    }

    @Test
    void whoeverWaitsSaysOnceThatItObeys() {
        List<Integer> taken = new ArrayList<>();
        Signals heard = new Signals(taken::add, () -> {});
        heard.deliver(15);
        assertThat(taken).isEmpty();

        assertThat(heard.areToStop()).isTrue();
        assertThat(heard.goOnAfter(LONG)).isFalse();

        assertThat(taken).containsExactly(15);
        heard.taken(2);
        assertThat(taken).containsExactly(15, 2);
    }

    @Test
    void quitAsksForNoStop() {
        List<String> shown = new ArrayList<>();
        Signals heard = new Signals(signal -> {}, () -> shown.add("threads"));

        heard.deliver(3);

        assertThat(heard.areToStop()).isFalse();
        assertThat(shown).containsExactly("threads");
    }
}
