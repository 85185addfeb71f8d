package dev.muster.runtime.launch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.runtime.output.Console;
import dev.muster.runtime.process.Signals;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class StayingTest {

    private final Signals signals = Signals.delivered();
    private final Staying staying = new Staying(Console.standard(), signals);

    @Test
    void aSignalThatAsksToStopEndsIt() throws Exception {
        CompletableFuture<Void> stays = CompletableFuture.runAsync(() -> staying.last(Duration.ofMinutes(10)));

        signals.deliver("USR1", 10);
        signals.deliver("TERM", 15);

        stays.get(20, TimeUnit.SECONDS);
    }

    @Test
    void timeEndsIt() {
        signals.orderStop();
        long before = System.nanoTime();

        staying.last(Duration.ofMillis(50));

        assertThat(System.nanoTime() - before)
                .isGreaterThanOrEqualTo(Duration.ofMillis(50).toNanos());
    }
}
