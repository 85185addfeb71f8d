package dev.muster.runtime.commands;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class VariableShellTest {

    private static final Duration LONG = Duration.ofMinutes(1);

    @TempDir
    private Path directory;

    private final List<String> said = Collections.synchronizedList(new ArrayList<>());
    private final Map<String, String> variables = new TreeMap<>();

    private Optional<VariableChanges> run(VariableScript script, Duration deadline, BooleanSupplier isStopped)
            throws VariableShell.ScriptException {
        TreeMap<String, String> all = new TreeMap<>(System.getenv());
        all.putAll(variables);
        return new VariableShell(TestCommands::supervisor, TestCommands.context(directory, all, isStopped), said::add)
                .run(script, deadline);
    }

    private VariableChanges changes(VariableScript script) throws VariableShell.ScriptException {
        return run(script, LONG, () -> false).orElseThrow();
    }

    private void assertFails(VariableScript script, Duration deadline, String how) {
        assertThatThrownBy(() -> run(script, deadline, () -> false))
                .isInstanceOf(VariableShell.ScriptException.class)
                .hasMessage(how);
    }

    private Path file(String name, String text) throws IOException {
        return Files.writeString(directory.resolve(name), text);
    }

    @Test
    void aScriptsChangesAreReadAsData() throws Exception {
        variables.putAll(Map.of("BEFORE", "1", "TAKEN", "away", "PLACES", "/usr/bin:/bin"));
        Path script = file("it's a $(script).sh", """
                echo "to be seen"; echo 'A=B' >&2; printf '\\0X=1\\0\\0'
                export MADE="$BEFORE and
                more"
                unset TAKEN
                """);
        VariableChanges changes = changes(new VariableScript()
                .export("QUOTED", "it's $(false) `x` \"y\" \\ größe")
                .prepend("PLACES", Path.of("/it's new"))
                .source(script)
                .unset("ABSENT"));
        assertThat(changes.set())
                .isEqualTo(Map.of(
                        "QUOTED", "it's $(false) `x` \"y\" \\ größe",
                        "PLACES", "/it's new:/usr/bin:/bin",
                        "MADE", "1 and\nmore"));
        assertThat(changes.removed()).containsExactly("TAKEN");
        assertThat(said).containsExactly("to be seen", "A=B", "\\u0000X=1\\u0000\\u0000");
    }

    @Test
    void aDirectoryIsPutBeforeAListThatIsNotThere() throws Exception {
        assertThat(changes(new VariableScript().prepend("PLACES", Path.of("/new")))
                        .set())
                .containsExactly(Map.entry("PLACES", "/new"));
    }

    @Test
    void aScriptIsReadWithoutArgumentsAndItsLastCodeDoesNotCount() throws Exception {
        Path script = file("a.sh", "export COUNT=$#; set -- x y; false\n");
        assertThat(changes(new VariableScript().source(script).source(script)).set())
                .containsKey("COUNT");
        assertFails(
                new VariableScript().source(file("b.sh", "echo words; set -e; false")),
                LONG,
                directory + "/b.sh ended the shell with 1; it printed last: \"words\"");
    }

    @Test
    void aScriptThatEndsTheShellHasFailedWhateverItsCode() throws Exception {
        assertFails(
                new VariableScript().source(file("first.sh", "")).source(file("second.sh", "exit 0")),
                LONG,
                directory + "/second.sh ended the shell with 0; it printed nothing");
    }

    @Test
    void aScriptThatHangsIsKilledWithAllThatItStarted() throws Exception {
        Path script = file("hangs.sh", "echo waits; setsid sleep 600 & echo $! > left; (sleep 600); \n");
        assertFails(
                new VariableScript().source(script),
                Duration.ofMillis(500),
                script + " had not ended after 0s; it printed last: \"waits\"");
        assertThatNothingIsLeft();
    }

    @Test
    void whatAScriptLeavesBehindHoldsNothingUp() throws Exception {
        Path script = file("leaves.sh", "sleep 600 & echo $! > left; export DONE=1\n");
        assertThat(changes(new VariableScript().source(script)).set()).containsExactly(Map.entry("DONE", "1"));
        assertThatNothingIsLeft();
    }

    private void assertThatNothingIsLeft() throws IOException {
        long pid = Long.parseLong(Files.readString(directory.resolve("left")).strip());
        assertThat(ProcessHandle.of(pid)
                        .flatMap(process -> process.info().commandLine())
                        .orElse(""))
                .doesNotContain("sleep");
    }

    @Test
    void aStopEndsItAtOnce() throws Exception {
        AtomicBoolean isStopped = new AtomicBoolean();
        Path script = file("hangs.sh", "echo waits; exec sleep 600\n");
        Optional<VariableChanges> ending = run(new VariableScript().source(script), LONG, () -> {
            isStopped.set(isStopped.get() || said.contains("waits"));
            return isStopped.get();
        });
        assertThat(ending).isEmpty();
    }

    @Test
    void aFloodOfWordsIsNotAllRepeated() throws Exception {
        Path script = file("flood.sh", "yes | head -n 5000; export DONE=1\n");
        assertThat(changes(new VariableScript().source(script)).set()).containsKey("DONE");
        assertThat(said).hasSize(100);
    }
}
