package dev.muster.runtime.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DurationsTest {

    @ParameterizedTest
    @CsvSource({
        "500ms, 500",
        "2s, 2000",
        "2, 2000",
        "0, 0",
        "10m, 600000",
        "1h, 3600000",
        "999999999h, 3599999996400000"
    })
    void readsWhatUsersWrite(String text, long millis) {
        assertThat(Durations.parse(text)).isEqualTo(Duration.ofMillis(millis));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "s", "-1", "1.5s", "1d", "2 s", "1e9", "10M", "1234567890", "٣s", "2s\n"})
    void refusesEveryOtherForm(String text) {
        assertThatThrownBy(() -> Durations.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("\"" + Printable.escape(text) + "\" is not a duration such as " + Durations.FORM);
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0s",
        "1, 1ms",
        "1500, 1500ms",
        "2000, 2s",
        "60000, 1m",
        "90000, 90s",
        "3600000, 1h",
        "5400000, 90m",
        "86400000, 24h"
    })
    void writesTheShortestForm(long millis, String text) {
        assertThat(Durations.format(Duration.ofMillis(millis))).isEqualTo(text);
    }

    @Test
    void readsBackWhatItWrites() {
        for (long millis = 0; millis < 4_000_000; millis += 499) {
            Duration duration = Duration.ofMillis(millis);
            assertThat(Durations.parse(Durations.format(duration))).isEqualTo(duration);
        }
    }
}
