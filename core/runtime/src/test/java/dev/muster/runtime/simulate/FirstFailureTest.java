package dev.muster.runtime.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class FirstFailureTest {

    private static final Instant EARLY = Instant.parse("2026-01-01T00:00:01Z");
    private static final Instant LATE = EARLY.plusMillis(1);

    private final FirstFailure first = new FirstFailure();

    @Test
    void theEarliestOneCountsWhoeverIsLookedAtFirst() {
        first.consider(LATE, 75, "node 0: node 1 is lost", true);
        first.consider(EARLY, 143, "node 1: stopped by SIGTERM", true);
        first.consider(LATE, 75, "node 2: node 1 is lost", true);

        assertThat(first.exitCode()).isEqualTo(143);
        assertThat(first.reason()).isEqualTo("node 1: stopped by SIGTERM");
    }

    @Test
    void whoFailedItselfComesBeforeWhoHeardOfIt() {
        first.consider(EARLY, 3, "node 1 (b): rank 1 ended with exit code 3", false);
        assertThat(first.exitCode()).isEqualTo(3);

        first.consider(LATE, 3, "node 1: rank 1 (pid 7) ended with exit code 3", true);
        first.consider(EARLY, 3, "node 1 (b): rank 1 ended with exit code 3", false);

        assertThat(first.reason()).isEqualTo("node 1: rank 1 (pid 7) ended with exit code 3");
    }

    @Test
    void knowsWhetherItCameBeforeALauncherThatEndedWithoutAWord() {
        assertThat(first.isKnownBefore(Optional.empty())).isFalse();
        assertThat(first.isKnownBefore(Optional.of(LATE))).isFalse();

        first.consider(EARLY, 3, "node 0: rank 3 ended with exit code 3", true);

        assertThat(first.isKnownBefore(Optional.empty())).isTrue();
        assertThat(first.isKnownBefore(Optional.of(LATE))).isTrue();
        assertThat(first.isKnownBefore(Optional.of(EARLY.minusMillis(1)))).isFalse();
    }

    @Test
    void aSigtermBeforeTheEndOfAKilledLaunchersNodeIsItsEffect() {
        first.consider(EARLY, 143, "node 1: rank 2 ended with SIGTERM", true);

        assertThat(first.isKnownBefore(Optional.of(LATE))).isFalse();
        assertThat(first.isKnownBefore(Optional.empty())).isTrue();
    }
}
