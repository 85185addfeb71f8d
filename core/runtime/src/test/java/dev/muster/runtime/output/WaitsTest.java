package dev.muster.runtime.output;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** 12: what a user sees of a wait. */
class WaitsTest {

    private long now = -7_000_000_000L;
    private final List<String> lines = new ArrayList<>();
    private final ByteArrayOutputStream screen = new ByteArrayOutputStream();
    private int columns = 40;

    private void pass(Duration time) {
        now += time.toNanos();
    }

    private void look(Waiting waiting, String what, Duration time) {
        Duration pause = Duration.ofMillis(250);
        for (Duration passed = Duration.ZERO; passed.compareTo(time) < 0; passed = passed.plus(pause)) {
            pass(pause);
            waiting.lasts(() -> what);
        }
    }

    private Waits inLines() {
        return Waits.inLines(lines::add, () -> now);
    }

    private Console terminal() {
        return new Console(screen, screen, () -> true, () -> columns);
    }

    private String shown() {
        return screen.toString(StandardCharsets.UTF_8);
    }

    @Test
    @DisplayName("12.1 in lines: one at the beginning with the limit, one every 30 s with the time that has passed")
    void linesComeEveryHalfMinute() {
        try (Waiting waiting = inLines().upTo(Duration.ofMinutes(5))) {
            waiting.lasts(() -> "rank table t.json does not exist");
            look(waiting, "rank table t.json is still \"initializing\"", Duration.ofSeconds(59));
        }
        assertThat(lines)
                .containsExactly(
                        "rank table t.json does not exist; waiting up to 5m",
                        "still waiting after 30s of 5m: rank table t.json is still \"initializing\"");
    }

    @Test
    @DisplayName("12.2 in lines: what is over soon is not told, and what changes is told soon")
    void changesAreTold() {
        try (Waiting waiting = inLines().quietFor(Duration.ofSeconds(1))) {
            look(waiting, "0/2 ready", Duration.ofMillis(750));
            assertThat(lines).isEmpty();
            look(waiting, "0/2 ready", Duration.ofSeconds(1));
            look(waiting, "1/2 ready", Duration.ofSeconds(5));
            look(waiting, "1/2 ready", Duration.ofSeconds(30));
        }
        assertThat(lines)
                .containsExactly(
                        "0/2 ready", "still waiting after 4s: 1/2 ready", "still waiting after 34s: 1/2 ready");
    }

    @Test
    @DisplayName(
            "12.3 on a terminal: one line that is written over every second, never wider than the terminal, and goes away")
    void aTerminalHasOneLine() {
        Console console = terminal();
        try (Waiting waiting =
                Waits.on(console, () -> now, Duration.ofSeconds(30)).upTo(Duration.ofMinutes(5))) {
            waiting.lasts(() -> "/a/very/long/path/that/does/not/fit.json is not a table");
            look(waiting, "short", Duration.ofSeconds(2));
        }
        console.close();
        assertThat(shown().split("\r", -1))
                .containsExactly(
                        "",
                        "muster: waiting, 0s of 5m: ...hat/do...",
                        "muster: waiting, 1s of 5m: short       ",
                        "muster: waiting, 1s of 5m: short",
                        "muster: waiting, 2s of 5m: short",
                        " ".repeat("muster: waiting, 2s of 5m: short".length()),
                        "")
                .allMatch(line -> line.length() < columns + 1);
        assertThat(shown()).doesNotContain("\n");
    }

    @Test
    @DisplayName("12.4 on a terminal: what is said or printed meanwhile takes the place of the line")
    void whatStaysTakesThePlaceOfTheLine() {
        Console console = terminal();
        LineFormatter rank = new LineFormatter("[0] ", new LineBatch(console));
        try (Waiting waiting =
                Waits.on(console, () -> now, Duration.ofSeconds(30)).upTo(Duration.ofMinutes(5))) {
            waiting.lasts(() -> "x");
            console.say("hello");
            pass(Duration.ofSeconds(1));
            waiting.lasts(() -> "x");
            byte[] bytes = "printed".getBytes(StandardCharsets.UTF_8);
            rank.accept(bytes, bytes.length);
            rank.showPartial();
            pass(Duration.ofSeconds(1));
            waiting.lasts(() -> "would tear the line");
        }
        console.close();
        String blank = "\r" + " ".repeat("muster: waiting, 0s of 5m: x".length()) + "\r";
        assertThat(shown())
                .isEqualTo("\rmuster: waiting, 0s of 5m: x" + blank + "muster: hello\n\rmuster: waiting, 1s of 5m: x"
                        + blank + "[0] printed");
    }

    @Test
    @DisplayName("12.5 on a terminal: secrets and control characters stay out of the line, wide characters fit into it")
    void theLineIsPlain() {
        Console console = terminal();
        console.mask(line -> line.replace("hunter2", "******"));
        columns = 44;
        try (Waiting waiting =
                Waits.on(console, () -> now, Duration.ofSeconds(30)).upTo(Duration.ofMinutes(5))) {
            waiting.lasts(() -> "hunter2\u001b[2J");
            pass(Duration.ofSeconds(1));
            waiting.lasts(() -> "训练数据训练数据训练数据");
        }
        console.close();
        assertThat(shown()).doesNotContain("hunter2", "\u001b").contains("******\\u001b[2J", "1s of 5m: 训练数据训练...");
    }

    @Test
    @DisplayName("12.6 nothing is drawn for a wait that nobody was told of")
    void nothingIsDrawnForNothing() {
        Console console = terminal();
        try (Waiting waiting =
                Waits.on(console, () -> now, Duration.ofSeconds(30)).quietFor(Duration.ofSeconds(1))) {
            waiting.lasts(() -> "x");
        }
        console.close();
        assertThat(shown()).isEmpty();
    }
}
