package dev.muster.runtime.inputs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.runtime.json.JsonReading;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReadAheadTest {

    private static final String FILLING = "x".repeat(ReadAhead.BIG);

    @TempDir
    private Path directory;

    private Path table = Path.of("");

    @BeforeEach
    void nameTable() {
        table = directory.resolve("table.json");
    }

    @Test
    void whatWasReadIsTakenOnce() throws IOException {
        write("1");
        ReadAhead ahead = ReadAhead.of(List.of(directory.resolve("other"), directory, table));

        Snapshot snapshot = ahead.snapshot(table);
        JsonReading reading = ahead.reading(snapshot.bytes());

        assertThat(value(reading)).isEqualTo("1");
        assertThat(ahead.snapshot(table).bytes()).isEqualTo(snapshot.bytes()).isNotSameAs(snapshot.bytes());
    }

    @Test
    void whatHasChangedSinceIsReadAgain() throws IOException {
        write("1");
        ReadAhead ahead = ReadAhead.of(List.of(table));
        write("2");

        assertThat(value(ahead.reading(ahead.snapshot(table).bytes()))).isEqualTo("2");
    }

    @Test
    void whatIsGoneSinceIsMissing() throws IOException {
        write("1");
        ReadAhead ahead = ReadAhead.of(List.of(table));
        Files.delete(table);

        assertThat(ahead.snapshot(table).state()).isEqualTo(Snapshot.State.MISSING);
    }

    @Test
    void mistakesAreThoseOfTheFile() throws IOException {
        Files.writeString(table, "{\"a\": 1, \"a\": 2, \"filling\": \"" + FILLING + "\"}");
        ReadAhead ahead = ReadAhead.of(List.of(table));

        JsonReading reading = ahead.reading(ahead.snapshot(table).bytes());

        assertThat(reading)
                .isInstanceOfSatisfying(
                        JsonReading.Wrong.class,
                        wrong -> assertThat(wrong.reason()).contains("has the key \"a\" twice"));
    }

    @Test
    void anotherFileIsReadWhenItIsAskedFor() throws IOException {
        write("1");
        ReadAhead ahead = ReadAhead.of(List.of(table));
        Path other = Files.writeString(directory.resolve("other"), "{\"value\": \"2\"}");

        assertThat(value(ahead.reading(ahead.snapshot(other).bytes()))).isEqualTo("2");
        assertThat(value(ahead.reading(ahead.snapshot(table).bytes()))).isEqualTo("1");
    }

    private void write(String value) throws IOException {
        Files.writeString(
                table, "{\"value\": \"" + value + "\", \"filling\": [" + "\"x\", ".repeat(ReadAhead.BIG / 5) + "0]}");
    }

    private static Object value(JsonReading reading) {
        return Objects.requireNonNull(
                reading.orElseThrow(IllegalStateException::new).get("value"));
    }
}
