package dev.muster.runtime.watch;

import static dev.muster.runtime.watch.HangDetector.Finding.ALIVE;
import static dev.muster.runtime.watch.HangDetector.Finding.DOUBTFUL;
import static dev.muster.runtime.watch.HangDetector.Finding.HANGS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.runtime.questions.NodeAnswer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class HangDetectorTest {

    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final long STEP = 100_000;

    private final HangDetector detector = new HangDetector(Duration.ofSeconds(10));
    private int second;

    private HangDetector.Finding look(Object... ranks) {
        NodeAnswer answer = new NodeAnswer(
                "node-0", "gpu0", Map.of("state", "running", "activity", List.of(ranks)), Optional.empty());
        return detector.looked(List.of(answer), ++second * SECOND);
    }

    private static Map<String, Object> rank(String id, long ticks, long bytes) {
        return Map.of("id", id, "ticks", ticks, "faults", 0L, "bytes", bytes, "processes", 71L);
    }

    @Test
    void ranksThatOnlyWaitHang() {
        List<HangDetector.Finding> findings = new ArrayList<>();
        for (int at = 0; at <= 12; at++) {
            // A rank that hangs still uses a little CPU time, for its heartbeat.
            findings.add(look(rank("rank-0", at, 0), rank("rank-1", 5, 0)));
        }
        assertThat(findings.subList(0, 10)).containsOnly(ALIVE);
        assertThat(findings).as("it is told once").containsOnlyOnce(HANGS).doesNotContain(DOUBTFUL);
    }

    @Test
    void oneThatReadsKeepsTheJobAlive() {
        for (int at = 0; at <= 60; at++) {
            assertThat(look(rank("rank-0", 0, at * STEP), rank("rank-1", 0, 0))).isEqualTo(ALIVE);
        }
    }

    @Test
    void whoUsesTheCpuIsInDoubtAndHangsWhereItStaysInOnePlace() {
        HangDetector.Finding last = ALIVE;
        for (int at = 0; at <= 30 && last != HANGS; at++) {
            last = look(rank("rank-0", at * 100L, 0), rank("rank-1", 0, 0));
            assertThat(last).isEqualTo(at < 20 ? ALIVE : DOUBTFUL);
            last = last == DOUBTFUL ? detector.seen("at all_reduce", second * SECOND) : last;
        }
        assertThat(last).isEqualTo(HANGS);
        assertThat(second).isEqualTo(31);
    }

    @Test
    void whoUsesTheCpuInAnotherPlaceDoesSomething() {
        for (int at = 0; at <= 50; at++) {
            if (look(rank("rank-0", at * 100L, 0)) == DOUBTFUL) {
                assertThat(detector.seen("at " + at, second * SECOND)).isEqualTo(ALIVE);
            }
        }
    }

    @Test
    void aNodeThatDoesNotAnswerIsNoHang() {
        for (int at = 0; at <= 30; at++) {
            NodeAnswer silent = new NodeAnswer("node-1", "gpu1", Map.of(), Optional.of("no answer within 5s"));
            assertThat(detector.looked(List.of(silent), at * SECOND)).isEqualTo(ALIVE);
        }
    }
}
