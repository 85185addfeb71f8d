package dev.muster.runtime.logs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GrowingFileTest {

    @TempDir
    Path directory;

    private Path path = Path.of("");
    private GrowingFile file = new GrowingFile(path);

    @BeforeEach
    void begin() {
        path = directory.resolve("log");
        file = new GrowingFile(path);
    }

    private void append(String text) throws IOException {
        Files.writeString(path, text, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    private String next(boolean isLast) throws IOException {
        return file.next(isLast)
                .map(line -> new String(line, StandardCharsets.UTF_8))
                .orElse("none");
    }

    @Test
    void linesComeWhole() throws IOException {
        assertThat(next(false)).isEqualTo("none");
        append("one\ntw");
        assertThat(next(false)).isEqualTo("one\n");
        assertThat(next(false)).isEqualTo("none");
        append("o\n\nthree");
        assertThat(next(false)).isEqualTo("two\n");
        assertThat(file.start()).isEqualTo(4);
        assertThat(next(false)).isEqualTo("\n");
        assertThat(next(true)).isEqualTo("three");
        assertThat(file.start()).isEqualTo(9);
        assertThat(next(true)).isEqualTo("none");
    }

    @Test
    void aLongLineIsOneAndAnEndlessOneComesInPieces() throws IOException {
        append("x".repeat(300_000) + "\n" + "y".repeat(1_500_000));
        assertThat(next(false)).hasSize(300_001);
        assertThat(next(false)).hasSizeGreaterThanOrEqualTo(1024 * 1024);
    }

    @Test
    void aFileThatIsEmptiedBeginsAnew() throws IOException {
        append("one\ntwo");
        assertThat(next(false)).isEqualTo("one\n");
        Files.writeString(path, "new\n");
        assertThat(next(false)).isEqualTo("two");
        assertThat(next(false)).isEqualTo("new\n");
        assertThat(file.start()).isZero();
    }

    @Test
    void aRenamedFileIsReadUntilThereIsSomethingInTheNewOne() throws IOException {
        append("one\n");
        assertThat(next(false)).isEqualTo("one\n");
        Path renamed = Files.move(path, directory.resolve("log.1"));
        append("");
        Files.writeString(renamed, "two\n", StandardOpenOption.APPEND);
        assertThat(next(false)).isEqualTo("two\n");
        append("new\n");
        assertThat(next(false)).isEqualTo("new\n");
        assertThat(next(false)).isEqualTo("none");
    }

    @Test
    void timesAreThoseOfTheOffsets() throws IOException {
        RankLog.TimeTable times = new RankLog.TimeTable(file);
        append("10 2026-01-01T00:00:01.000Z\n20 2026-01-01T00:00:02.000Z\nno");
        assertThat(times.at(0)).isEmpty();
        assertThat(times.at(15)).isEqualTo(at("01"));
        assertThat(times.at(20)).isEqualTo(at("02"));
        assertThat(times.at(90)).isEqualTo(at("02"));
    }

    private static Optional<Instant> at(String second) {
        return Optional.of(Instant.parse("2026-01-01T00:00:" + second + "Z"));
    }
}
