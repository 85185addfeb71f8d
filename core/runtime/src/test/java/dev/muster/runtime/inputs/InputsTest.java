package dev.muster.runtime.inputs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.muster.runtime.commands.TestCommands;
import dev.muster.runtime.errors.ExitCode;
import dev.muster.runtime.errors.MusterException;
import dev.muster.runtime.output.WaitReporter;
import dev.muster.spi.Input;
import dev.muster.spi.InputValue;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class InputsTest {

    private static final Duration TWO_SECONDS = Duration.ofSeconds(2);
    private static final String READY = "{\"status\":\"completed\",\"n\":1}";
    private static final String PENDING = "{\"status\":\"initializing\"}";
    private static final String ADVICE_ON_WRITER =
            ". Its writer is not done, or has failed: look there, or wait longer with --input-timeout";

    @TempDir
    private Path directory;

    private final SimulatedWaiter waiter = new SimulatedWaiter();
    private final List<String> progress = new ArrayList<>();

    @Test
    void aReadyTableIsReadAtOnce() throws IOException {
        Path table = write("table.json", READY);

        Map<String, InputValue> values = await(Duration.ZERO, required("table.json"));

        assertThat(values)
                .containsExactly(Map.entry(
                        "rank-table", new InputValue.Json(table.toString(), Map.of("status", "completed", "n", 1L))));
        assertThat(waiter.pauses).isEmpty();
        assertThat(progress).isEmpty();
    }

    @Test
    void nothingToFetchIsDone() {
        assertThat(await(Duration.ZERO)).isEmpty();
    }

    @Test
    void takesATableThatAppearsInTheLastMoment() {
        waiter.after(TWO_SECONDS, () -> write("table.json", READY));

        assertThat(await(TWO_SECONDS, required("table.json"))).containsKey("rank-table");
        assertThat(waiter.elapsed()).isEqualTo(TWO_SECONDS);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "                           | is empty",
                "{\"status\":               | is cut off at line 1, column 11 (it has 10 bytes)",
                "{\"status\":\"completed\"}}| is not valid JSON at line 1, column 23 (it has 23 bytes)",
                "{\"other\":1}              | has no field \"status\"",
                "{\"status\":\"initializing\"}| is still \"initializing\""
            })
    void waitsForATableThatIsNotDone(String content, String reason) throws IOException {
        write("table.json", content == null ? "" : content);

        assertThat(failure(ExitCode.TEMPORARY, TWO_SECONDS, required("table.json")))
                .isEqualTo("rank table " + directory + "/table.json " + reason + " after 2s (named by RANK_TABLE_FILE)"
                        + ADVICE_ON_WRITER);
        assertThat(waiter.elapsed()).isEqualTo(TWO_SECONDS);
    }

    @Test
    void aTableThatIsMissingIsWaitedFor() {
        assertThat(failure(ExitCode.TEMPORARY, TWO_SECONDS, required("table.json")))
                .isEqualTo(
                        "rank table " + directory + "/table.json does not exist after 2s (named by RANK_TABLE_FILE). "
                                + "Check the path, or wait longer with --input-timeout");
    }

    @Test
    void withoutADeadlineItLooksOnce() throws IOException {
        write("table.json", PENDING);

        assertThat(failure(ExitCode.TEMPORARY, Duration.ZERO, required("table.json")))
                .isEqualTo("rank table " + directory
                        + "/table.json is still \"initializing\" (named by RANK_TABLE_FILE)" + ADVICE_ON_WRITER);
        assertThat(waiter.pauses).isEmpty();
        assertThat(progress).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"[]", "{\"status\":\"completed\",\"status\":\"completed\"}", "{\"status\":\"\u00ff"})
    void refusesWrongContentAtOnce(String content) throws IOException {
        Files.write(directory.resolve("table.json"), content.getBytes(StandardCharsets.ISO_8859_1));

        failure(ExitCode.DATA, TWO_SECONDS, required("table.json"));

        assertThat(waiter.pauses).isEmpty();
    }

    @Test
    void findsTheTableInADirectory() throws IOException {
        Files.createDirectory(directory.resolve("config"));
        waiter.after(Duration.ofSeconds(1), () -> write("config/jobstart_hccl.json", READY));

        Map<String, InputValue> values = await(TWO_SECONDS, required("config"));

        assertThat(values.get("rank-table"))
                .isInstanceOfSatisfying(
                        InputValue.Json.class,
                        json -> assertThat(json.path()).isEqualTo(directory + "/config/jobstart_hccl.json"));
        assertThat(progress.get(0)).startsWith("rank table " + directory + "/config/jobstart_hccl.json does not exist");
    }

    @Test
    void anOptionalTableThatIsNotThereIsAbsent() {
        waiter.after(Duration.ofMillis(10), () -> write("table.json", READY));

        assertThat(await(TWO_SECONDS, optional("table.json"))).isEmpty();
        assertThat(waiter.pauses).isEmpty();
    }

    @Test
    void anOptionalTableThatIsThereIsWaitedForEvenWhenItGoesAway() throws IOException {
        write("table.json", PENDING);
        waiter.after(Duration.ofSeconds(1), () -> Files.delete(directory.resolve("table.json")));

        assertThat(failure(ExitCode.TEMPORARY, TWO_SECONDS, optional("table.json")))
                .contains("does not exist after 2s");
    }

    @Test
    void reportsAllInputsThatAreNotReady() {
        String message =
                failure(ExitCode.TEMPORARY, TWO_SECONDS, required("a.json"), json("server-list", "b.json", "default"));

        assertThat(message)
                .startsWith("2 inputs are not ready after 2s: 1) rank table " + directory + "/a.json does not exist")
                .contains(
                        "; 2) server list " + directory + "/b.json does not exist after 2s (the default place). Check");
    }

    @Test
    void wrongInputsAreReportedWithoutWaitingForTheOthers() throws IOException {
        write("b.json", "[]");
        write("c.json", "{\"status\":1}");

        String message = failure(
                ExitCode.DATA,
                TWO_SECONDS,
                required("a.json"),
                json("second", "b.json", "--second"),
                json("third", "c.json", "--third"));

        assertThat(message)
                .startsWith("2 inputs are wrong: 1) second ")
                .contains("; 2) third ")
                .doesNotContain("a.json");
    }

    @Test
    void anInputThatTurnsWrongWhileWaitingIsRefused() throws IOException {
        write("table.json", PENDING);
        waiter.after(Duration.ofSeconds(1), () -> write("table.json", "{\"status\":\"failed\"}"));

        assertThat(failure(ExitCode.DATA, TWO_SECONDS, required("table.json"))).contains("/status is \"failed\"");
        assertThat(waiter.elapsed()).isLessThan(TWO_SECONDS);
    }

    @Test
    void readsTextFilesOfTheMachine() throws IOException {
        Files.createDirectory(directory.resolve("etc"));
        write("etc/hccn.conf", "address_0=192.168.10.1\nä\n");

        InputValue value = fetch(new Input.TextFile("device-addresses", "etc/hccn.conf"));

        assertThat(value).isEqualTo(new InputValue.Text(directory + "/etc/hccn.conf", "address_0=192.168.10.1\nä\n"));
    }

    @Test
    void aTextFileThatIsNotThereIsAbsent() throws IOException {
        write("dev", "");

        assertThat(await(Duration.ZERO, text("dev/x"), new Input.TextFile("device-addresses", "etc/hccn.conf")))
                .isEmpty();
    }

    @Test
    void refusesTextFilesThatCannotBeUsed() throws IOException {
        Files.createDirectory(directory.resolve("etc"));
        Files.write(directory.resolve("etc/latin1"), new byte[] {'a', (byte) 0xE4});
        Files.write(directory.resolve("etc/big"), new byte[8 * 1024 * 1024 + 1]);
        Files.write(directory.resolve("etc/limit"), new byte[1024 * 1024]);

        assertThat(failure(ExitCode.DATA, TWO_SECONDS, text("etc/latin1")))
                .isEqualTo("some text " + directory + "/etc/latin1 is not UTF-8. Save it as UTF-8");
        assertThat(failure(ExitCode.DATA, TWO_SECONDS, text("etc/big")))
                .contains("has 8388609 bytes; the limit is 8388608");
        assertThat(failure(ExitCode.DATA, TWO_SECONDS, text("etc"))).contains("is a directory");
        assertThat(fetch(text("etc/limit"))).isInstanceOf(InputValue.Text.class);
    }

    @Test
    void listsNamesInOrder() throws IOException {
        Files.createDirectory(directory.resolve("dev"));
        for (String name : List.of("davinci1", "null", "davinci_manager", "davinci0")) {
            write("dev/" + name, "");
        }

        assertThat(fetch(new Input.Listing("cards", "dev", "davinci")))
                .isEqualTo(new InputValue.Text(directory + "/dev", "davinci0\ndavinci1\ndavinci_manager"));
    }

    @Test
    void whatIsNoDirectoryHasNoNames() throws IOException {
        write("file", "");

        assertThat(fetch(new Input.Listing("keys", "file", "id_")))
                .isEqualTo(new InputValue.Text(directory + "/file", ""));
        assertThat(fetch(new Input.Listing("keys", "missing", "id_")))
                .isEqualTo(new InputValue.Text(directory + "/missing", ""));
    }

    @Test
    void twoInputsOfOneNameAreAMistakeOfTheEngine() {
        assertThatThrownBy(() -> await(Duration.ZERO, text("etc/a"), text("etc/b")))
                .isInstanceOfSatisfying(
                        MusterException.class, e -> assertThat(e.exitCode()).isEqualTo(ExitCode.INTERNAL))
                .hasMessage("the engine asked for two inputs called some-text");
    }

    private InputValue fetch(Input input) {
        Map<String, InputValue> values =
                inputs().await(List.of(input), Duration.ZERO).values().orElseThrow();
        return Objects.requireNonNull(values.get(input.id()));
    }

    private Map<String, InputValue> await(Duration deadline, Input... inputs) {
        return inputs().await(List.of(inputs), deadline).values().orElseThrow();
    }

    private String failure(ExitCode code, Duration deadline, Input... inputs) {
        Inputs fetcher = inputs();
        MusterException failure = catchThrowableOfType(
                MusterException.class,
                () -> fetcher.await(List.of(inputs), deadline).values());
        assertThat(failure.exitCode()).isEqualTo(code);
        assertThat(failure.getMessage()).doesNotContain("\n", "\u001b");
        return Objects.requireNonNull(failure.getMessage());
    }

    private Inputs inputs() {
        return new Inputs(
                directory,
                Optional.of("/usr/bin:/bin"),
                TestCommands.in(directory, "/usr/bin:/bin"),
                waiter.waiter(),
                new WaitReporter(progress::add, waiter::nanoTime),
                Optional.empty());
    }

    private static Input required(String path) {
        return json("rank-table", path, "RANK_TABLE_FILE");
    }

    private static Input json(String id, String path, String origin) {
        return new Input.JsonFile(
                id,
                path,
                Optional.of("jobstart_hccl.json").filter(name -> path.equals("config")),
                origin,
                true,
                "status",
                "completed",
                List.of("initializing"),
                Input.Parser.NONE);
    }

    private static Input optional(String path) {
        return new Input.JsonFile(
                "rank-table",
                path,
                Optional.empty(),
                "default",
                false,
                "status",
                "completed",
                List.of("initializing"),
                Input.Parser.NONE);
    }

    private static Input text(String path) {
        return new Input.TextFile("some-text", path);
    }

    private Path write(String name, String content) throws IOException {
        return Files.writeString(directory.resolve(name), content);
    }
}
