package dev.muster.runtime.inputs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.runtime.json.JsonReading;
import dev.muster.spi.InputValue;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
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

    /** 3.8: an engine begins with a big table while everything else is made ready. */
    @Test
    void whoReadsOnHasWhatIsGivenLater() throws IOException {
        write("1");
        CompletableFuture<InputValue.Json> begun = new CompletableFuture<>();
        ReadAhead ahead = ReadAhead.of(List.of(table));

        ahead.goOnBy(begun::complete);

        InputValue.Json value = begun.orTimeout(30, TimeUnit.SECONDS).join();
        assertThat(value.path()).isEqualTo(table.toString());
        JsonReading reading = ahead.reading(ahead.snapshot(table).bytes());
        assertThat(reading.orElseThrow(IllegalStateException::new)).isSameAs(value.content());
    }

    /** 3.8: a table that is written again meanwhile is read as it is then. */
    @Test
    void whoReadsOnMayHaveReadWhatTheFileDoesNotSayAnyMore() throws IOException {
        write("1");
        CompletableFuture<InputValue.Json> begun = new CompletableFuture<>();
        ReadAhead ahead = ReadAhead.of(List.of(table));
        ahead.goOnBy(begun::complete);
        Map<String, Object> old = begun.orTimeout(30, TimeUnit.SECONDS).join().content();

        write("2");

        assertThat(old).containsEntry("value", "1");
        assertThat(value(ahead.reading(ahead.snapshot(table).bytes()))).isEqualTo("2");
    }

    /** Nobody waits for who reads on. */
    @Test
    void whatWasReadIsThereBeforeAnybodyReadsOn() throws IOException {
        write("1");
        ReadAhead ahead = ReadAhead.of(List.of(table));
        CompletableFuture<Boolean> end = new CompletableFuture<>();
        ahead.goOnBy(file -> end.join());

        assertThat(value(ahead.reading(ahead.snapshot(table).bytes()))).isEqualTo("1");
        end.complete(true);
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
