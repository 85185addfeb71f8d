package dev.muster.runtime.output;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class CadenceTest {

    /** This happens when a network is cut and two addresses fail in different ways. */
    @Test
    void reasonsThatAlternateAreToldOnceAndThenEveryThirtySeconds() {
        Cadence cadence = new Cadence(0);
        List<Long> told = LongStream.range(0, 100)
                .filter(second -> cadence.due(
                                () -> second % 2 == 0 ? "no answer" : "refused", TimeUnit.SECONDS.toNanos(second))
                        .isPresent())
                .boxed()
                .toList();
        assertThat(told).containsExactly(0L, 3L, 33L, 63L, 93L);
    }
}
