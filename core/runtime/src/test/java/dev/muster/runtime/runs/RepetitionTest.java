package dev.muster.runtime.runs;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class RepetitionTest {

    private static final Duration SOON = Duration.ofSeconds(2);

    private static Optional<Repetition.Failure> failure(String who, int code, long pid, Duration ran, String... words) {
        return Optional.of(new Repetition.Failure(who, code, pid, List.of(words), ran));
    }

    private static List<Boolean> asked(List<Optional<Repetition.Failure>> failures) {
        Repetition repetition = new Repetition();
        return failures.stream().map(repetition::isThird).toList();
    }

    @Test
    @DisplayName("1 the third failure of the same rank with the same last words, soon after its start")
    void theThirdOfTheSame() {
        assertThat(asked(List.of(
                        failure("rank-1", 3, 71, SOON, "[gpu1:71] 12:00:01 no device at 0x7f00ab"),
                        failure("rank-1", 3, 85, SOON, "[gpu1:85] 12:00:07 no device at 0x7f11ff"),
                        failure("rank-1", 3, 99, SOON, "[gpu1:99] 12:00:13 no device at 0x7fabab"))))
                .containsExactly(false, false, true);
    }

    @Test
    void anotherRankCodeOrWordBeginsAnew() {
        assertThat(asked(List.of(
                        failure("rank-1", 3, 71, SOON, "step 7"),
                        failure("rank-2", 3, 71, SOON, "step 7"),
                        failure("rank-2", 4, 71, SOON, "step 7"),
                        failure("rank-2", 4, 71, SOON, "step 8"),
                        failure("rank-2", 4, 71, SOON, "step 8"),
                        failure("rank-2", 4, 71, SOON, "step 8"))))
                .containsExactly(false, false, false, false, false, true);
    }

    @Test
    void whatHasRunForAWhileIsNoneOfThem() {
        Duration late = Repetition.SOON;
        assertThat(asked(List.of(
                        failure("rank-1", 3, 1, SOON, "a"),
                        failure("rank-1", 3, 1, SOON, "a"),
                        failure("rank-1", 3, 1, late, "a"),
                        failure("rank-1", 3, 1, SOON, "a"),
                        failure("rank-1", 3, 1, SOON, "a"),
                        Optional.empty(),
                        failure("rank-1", 3, 1, SOON, "a"))))
                .containsOnly(false);
    }
}
