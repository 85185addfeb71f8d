package dev.muster.runtime.inputs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.muster.runtime.commands.TestCommands;
import dev.muster.runtime.errors.ExitCode;
import dev.muster.runtime.errors.MusterException;
import dev.muster.runtime.output.WaitReporter;
import dev.muster.spi.Input;
import dev.muster.spi.InputValue;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Restarts in place: which rank table the next attempt uses. */
class InputReuseTest {

    private static final Duration LIMIT = Duration.ofSeconds(40);
    private static final Instant WRITTEN = Instant.parse("2026-01-01T00:00:00Z");
    private static final String PENDING = "{\"status\":\"initializing\"}";
    private static final Optional<Set<String>> COMPLETE = Optional.of(Set.of());
    private static final Optional<Set<String>> REPLACED = Optional.of(Set.of("node-1"));
    private static final Optional<Set<String>> MISSING = Optional.empty();

    @TempDir
    private Path directory;

    private final SimulatedWaiter waiter = new SimulatedWaiter();
    private final InputReuse reuse = new InputReuse(Optional.empty());
    private Duration limit = LIMIT;
    private final AtomicReference<Optional<Set<String>>> replaced = new AtomicReference<>(COMPLETE);

    @BeforeEach
    void aRunIsPlanned() throws IOException {
        write(table(1));
        assertThat(taken()).isEqualTo(1);
    }

    @Test
    @DisplayName("an unchanged table is used again at once when all launchers are here")
    void anUnchangedTableIsUsedAgain() {
        next(COMPLETE);

        assertThat(taken()).isEqualTo(1);
        assertThat(waiter.elapsed()).isZero();
    }

    @Test
    @DisplayName("after a launcher was replaced, a new table is awaited")
    void aReplacedLauncherMeansANewTable() {
        next(REPLACED);
        waiter.after(Duration.ofSeconds(3), () -> write(table(2)));

        assertThat(taken()).isEqualTo(2);
        assertThat(waiter.elapsed()).isGreaterThanOrEqualTo(Duration.ofSeconds(3));
    }

    @Test
    @DisplayName("after a launcher was replaced, a new table that comes late is used")
    void aTableThatComesLateIsUsed() {
        next(REPLACED);
        waiter.after(Duration.ofSeconds(29), () -> write(table(2)));

        assertThat(taken()).isEqualTo(2);
    }

    @Test
    @DisplayName("a missing launcher and no new table end the job with exit code 75")
    void withoutANewTableItEnds() {
        next(MISSING);

        assertThat(failure())
                .isEqualTo("rank table " + file()
                        + " is that of the last run, and a launcher of the job has not come for the"
                        + " next one after 40s (named by RANK_TABLE_FILE). Have it written for the launchers that are"
                        + " there (a table that holds as it is can be touched), or wait longer with --input-timeout");
    }

    @Test
    @DisplayName("the old table is used when the missing launcher comes, or a new table without it")
    void aMissingLauncherIsAwaited() {
        next(MISSING);
        waiter.after(Duration.ofSeconds(2), () -> replaced.set(COMPLETE));
        assertThat(taken()).isEqualTo(1);
        assertThat(waiter.elapsed()).isBetween(Duration.ofSeconds(2), Duration.ofSeconds(3));

        next(MISSING);
        waiter.after(Duration.ofSeconds(5), () -> write(table(2)));
        assertThat(taken()).isEqualTo(2);
    }

    @Test
    @DisplayName("after a change has begun, the new table is awaited, although all launchers are here")
    void aChangeThatHasBegunIsAwaited() throws IOException {
        next(COMPLETE);
        write(PENDING);
        waiter.after(Duration.ofSeconds(2), () -> write(table(2).substring(0, 20)))
                .after(Duration.ofSeconds(3), () -> write(""))
                .after(Duration.ofSeconds(4), () -> write(table(2)));

        assertThat(taken()).isEqualTo(2);
    }

    @Test
    @DisplayName("a table that was written again with the same content is new")
    void aTableThatIsTouchedIsANewTable() {
        next(REPLACED);
        waiter.after(
                Duration.ofSeconds(4), () -> Files.setLastModifiedTime(file(), FileTime.from(WRITTEN.plusSeconds(9))));

        assertThat(taken()).isEqualTo(1);
        assertThat(waiter.elapsed()).isBetween(Duration.ofSeconds(4), Duration.ofSeconds(5));
    }

    @Test
    @DisplayName("a table without this host is not used: the launcher waits for the next one")
    void aTableThatLeavesOutThisNodeIsAwaited() throws IOException {
        next(COMPLETE);
        write(table(2));
        waiter.after(Duration.ofSeconds(1), () -> write(table(3)))
                .after(Duration.ofSeconds(2), () -> write(table(2)))
                .after(Duration.ofSeconds(3), () -> write(PENDING))
                .after(Duration.ofSeconds(4), () -> write(table(4)));

        Inputs.PendingInputs awaited = begin();
        int n = n(awaited.values());
        while (n < 4) {
            assertThat(awaited.rejectForNode("it lists others")).isTrue();
            n = n(awaited.values());
        }
        assertThat(n).isEqualTo(4);
        assertThat(waiter.elapsed()).isBetween(Duration.ofSeconds(4), Duration.ofSeconds(5));
    }

    @Test
    @DisplayName("a table without this host until the deadline ends the job with exit code 75")
    void aTableThatLeavesOutThisNodeEndsIt() throws IOException {
        next(COMPLETE);
        write(table(2));

        Inputs.PendingInputs awaited = begin();
        awaited.values();
        assertThat(awaited.rejectForNode("server \"x\" is not in the rank table"))
                .isTrue();
        MusterException failure = catchThrowableOfType(MusterException.class, awaited::values);
        assertThat(failure.exitCode()).isEqualTo(ExitCode.TEMPORARY);
        assertThat(failure)
                .hasMessage("rank table " + file() + " leaves out this node: server \"x\" is not in the rank table"
                        + " after 40s (named by RANK_TABLE_FILE). Check the address of this node, and that the file is"
                        + " this job's, or wait longer with --input-timeout");
        assertThat(waiter.elapsed()).isEqualTo(LIMIT);
    }

    private void next(Optional<Set<String>> present) {
        replaced.set(present);
        reuse.startNext(replaced::get);
    }

    private int taken() {
        return n(begin().values());
    }

    private Inputs.PendingInputs begin() {
        return inputs(reuse).await(List.of(input(true)), limit);
    }

    private String failure() {
        MusterException failure = catchThrowableOfType(MusterException.class, this::taken);
        assertThat(failure.exitCode()).isEqualTo(ExitCode.TEMPORARY);
        return Objects.requireNonNull(failure.getMessage());
    }

    private static int n(Optional<Map<String, InputValue>> values) {
        InputValue.Json table = (InputValue.Json) values.orElseThrow().get("rank-table");
        return ((Long) Objects.requireNonNull(
                        Objects.requireNonNull(table).content().get("n")))
                .intValue();
    }

    private Inputs inputs(InputReuse runs) {
        return new Inputs(
                directory,
                Optional.empty(),
                TestCommands.in(directory, "/bin"),
                waiter.waiter(),
                new WaitReporter(line -> {}, waiter::nanoTime),
                Optional.of(runs));
    }

    private Input input(boolean isRequired) {
        return new Input.JsonFile(
                "rank-table",
                file().toString(),
                Optional.empty(),
                "RANK_TABLE_FILE",
                isRequired,
                "status",
                "completed",
                List.of("initializing"),
                Input.Parser.NONE);
    }

    private Path file() {
        return directory.resolve("hccl.json");
    }

    private static String table(int n) {
        return "{\"status\":\"completed\",\"n\":" + n + "}";
    }

    /** Writes in place, as MindX DL's operator does. The time never changes, as with a coarse clock. */
    private void write(String text) throws IOException {
        Files.writeString(file(), text);
        Files.setLastModifiedTime(file(), FileTime.from(WRITTEN));
    }
}
