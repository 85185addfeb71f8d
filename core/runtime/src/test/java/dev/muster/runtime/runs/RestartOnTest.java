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

    private static boolean follows(String list, int code) {
        return RestartOn.parse(list).includes(code);
    }

    @Test
    @DisplayName("by default a failure (code or signal) and a lost node cause a restart, but 126, 127 and 143 never do")
    void anyFailureAndALostNode() {
        assertThat(IntStream.rangeClosed(1, 255).filter(code -> !follows(DEFAULT, code)))
                .containsExactly(126, 127, 143);
        assertThat(RestartOn.parse(DEFAULT).lost()).isTrue();
        assertThat(RestartOn.parse("failure").lost()).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "lost, 1, false",
        "3, 3, true",
        "3, 4, false",
        "'32-63,lost', 63, true",
        "'32-63,lost', 64, false",
        "SIGKILL, 137, true",
        "SIGKILL, 139, false",
        "1-255, 127, false"
    })
    void onlyWhatIsListedIsFollowed(String list, int code, boolean follows) {
        assertThat(follows(list, code)).isEqualTo(follows);
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

    @Test
    @DisplayName("the delay doubles up to a minute")
    void theDelayDoubles() {
        assertThat(IntStream.of(1, 2, 3, 6, 7, 1000).mapToObj(used -> new RunCount(used + 1, 1000).delay()))
                .extracting(Duration::toSeconds)
                .containsExactly(1L, 2L, 4L, 32L, 60L, 60L);
    }
}
