package dev.muster.runtime.runs;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RestartOnTest {

    private static final String DEFAULT = "failure,lost";

    private static boolean follows(String list, RunEnd.Kind kind, int code) {
        return RestartOn.parse(list).has(new RunEnd(kind, code));
    }

    @Test
    @DisplayName("1 by default any failure is followed, by code or signal, and a lost node; never 126, 127 and 143")
    void anyFailureAndALostNode() {
        assertThat(IntStream.rangeClosed(1, 255).filter(code -> !follows(DEFAULT, RunEnd.Kind.FAILED, code)))
                .containsExactly(126, 127, 143);
        assertThat(follows(DEFAULT, RunEnd.Kind.LOST, 75)).isTrue();
    }

    @Test
    @DisplayName("1 what is neither is never followed")
    void nothingElseIsFollowed() {
        assertThat(IntStream.rangeClosed(0, 255).filter(code -> follows(DEFAULT, RunEnd.Kind.OTHER, code)))
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "lost, FAILED, 1, false",
        "failure, LOST, 75, false",
        "3, FAILED, 3, true",
        "3, FAILED, 4, false",
        "'32-63,lost', FAILED, 63, true",
        "'32-63,lost', FAILED, 64, false",
        "SIGKILL, FAILED, 137, true",
        "SIGKILL, FAILED, 139, false",
        "1-255, FAILED, 127, false"
    })
    void onlyWhatIsListedIsFollowed(String list, RunEnd.Kind kind, int code, boolean follows) {
        assertThat(follows(list, kind, code)).isEqualTo(follows);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                ",",
                "failure,",
                "fail",
                "0",
                "256",
                "5-3",
                "3-",
                "KILL",
                "SIGNONE",
                "126",
                "127",
                "143",
                "SIGTERM",
                "-1",
                " lost",
                "9999999999"
            })
    void whatIsNoSuchListIsRefused(String list) {
        assertThat(RestartOn.isValid(list)).isFalse();
    }

    @ParameterizedTest
    @DisplayName("1 nodes whose lists mean the same do not contradict each other")
    @CsvSource({
        "'failure,lost', 'failure,lost'",
        "'lost,failure', 'failure,lost'",
        "'1-255,lost,lost', 'failure,lost'",
        "'5,3-4,SIGKILL', '3-5,137'",
        "'120-130', '120-125,128-130'",
        "lost, lost",
        "255, 255"
    })
    void listsThatMeanTheSameAreEqual(String list, String meaning) {
        assertThat(RestartOn.parse(list).meaning()).isEqualTo(meaning);
        assertThat(RestartOn.parse(meaning)).isEqualTo(RestartOn.parse(list));
    }

    @Test
    @DisplayName("1 the delay doubles up to a minute")
    void theDelayDoubles() {
        assertThat(IntStream.of(1, 2, 3, 6, 7, 1000).mapToObj(used -> new RunCount(used + 1, used, 1000).delay()))
                .extracting(Duration::toSeconds)
                .containsExactly(1L, 2L, 4L, 32L, 60L, 60L);
    }
}
