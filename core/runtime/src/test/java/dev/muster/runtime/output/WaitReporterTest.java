package dev.muster.runtime.output;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.runtime.output.WaitReporter.Waiting;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The lines that a user sees during a wait. */
class WaitReporterTest {

    private long now = -7_000_000_000L;
    private final List<String> lines = new ArrayList<>();

    private void pass(Duration time) {
        now += time.toNanos();
    }

    private void look(Waiting waiting, String what, Duration time) {
        Duration pause = Duration.ofMillis(250);
        for (Duration passed = Duration.ZERO; passed.compareTo(time) < 0; passed = passed.plus(pause)) {
            pass(pause);
            waiting.report(() -> what);
        }
    }

    private WaitReporter waits() {
        return new WaitReporter(lines::add, () -> now);
    }

    @Test
    @DisplayName("one line at the beginning with the limit, one soon after a change, one every 30 s")
    void linesComeEveryHalfMinute() {
        Waiting waiting = waits().upTo(Duration.ofMinutes(5));
        waiting.report(() -> "rank table t.json does not exist");
        look(waiting, "rank table t.json is still \"initializing\"", Duration.ofSeconds(62));
        assertThat(lines)
                .containsExactly(
                        "rank table t.json does not exist; waiting up to 5m",
                        "still waiting after 3s of 5m: rank table t.json is still \"initializing\"",
                        "still waiting after 33s of 5m: rank table t.json is still \"initializing\"");
    }

    @Test
    @DisplayName("a short wait prints nothing, and a change is printed soon")
    void changesAreTold() {
        Waiting waiting = waits().quietFor(Duration.ofSeconds(1));
        look(waiting, "0/2 ready", Duration.ofMillis(750));
        assertThat(lines).isEmpty();
        look(waiting, "0/2 ready", Duration.ofSeconds(1));
        look(waiting, "1/2 ready", Duration.ofSeconds(5));
        look(waiting, "1/2 ready", Duration.ofSeconds(30));
        assertThat(lines)
                .containsExactly(
                        "0/2 ready", "still waiting after 4s: 1/2 ready", "still waiting after 34s: 1/2 ready");
    }
}
