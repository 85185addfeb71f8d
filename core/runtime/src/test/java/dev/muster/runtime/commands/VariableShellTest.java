package dev.muster.runtime.commands;

import static org.assertj.core.api.Assertions.assertThat;

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

    private VariableShell.Ending run(VariableScript script, Duration deadline, BooleanSupplier isStopped) {
        TreeMap<String, String> all = new TreeMap<>(System.getenv());
        all.putAll(variables);
        ForkingSupervisor supervisor = new ForkingSupervisor(all);
        return new VariableShell(() -> supervisor, TestCommands.context(directory, all, isStopped), said::add)
                .run(script, deadline);
    }

    private VariableChanges changes(VariableScript script) {
        VariableShell.Ending ending = run(script, LONG, () -> false);
        assertThat(ending).isInstanceOf(VariableShell.Ending.Done.class);
        return ((VariableShell.Ending.Done) ending).changes();
    }

    private VariableShell.Ending.Failed failure(VariableScript script, Duration deadline) {
        VariableShell.Ending ending = run(script, deadline, () -> false);
        assertThat(ending).isInstanceOf(VariableShell.Ending.Failed.class);
        return (VariableShell.Ending.Failed) ending;
    }

    private Path file(String name, String text) throws IOException {
        return Files.writeString(directory.resolve(name), text);
    }

    @Test
    void aScriptsChangesAreReadAsData() throws IOException {
        variables.putAll(Map.of("BEFORE", "1", "TAKEN", "away", "PLACES", "/usr/bin:/old dir:/bin"));
        Path script = file("it's a $(script).sh", """
                echo "to be seen"; echo 'A=B' >&2; printf '\\0X=1\\0\\0'
                export MADE="$BEFORE and
                more"
                unset TAKEN
                """);
        VariableChanges changes = changes(new VariableScript()
                .export("QUOTED", "it's $(false) `x` \"y\" \\ größe")
                .drop("PLACES", Path.of("/old dir"))
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
    void aDirectoryIsTakenOutWhereverItIs() {
        variables.put("PLACES", "/old:/a:/old:/old:/older:/b:/old");
        assertThat(changes(new VariableScript().drop("PLACES", Path.of("/old"))).set())
                .containsExactly(Map.entry("PLACES", "/a:/older:/b"));
    }

    @Test
    void aDirectoryIsPutBeforeAListThatIsNotThere() {
        assertThat(changes(new VariableScript().prepend("PLACES", Path.of("/new")))
                        .set())
                .containsExactly(Map.entry("PLACES", "/new"));
    }

    @Test
    void aScriptIsReadWithoutArgumentsAndItsLastCodeDoesNotCount() throws IOException {
        Path script = file("a.sh", "export COUNT=$#; set -- x y; false\n");
        assertThat(changes(new VariableScript().source(script).source(script)).set())
                .containsKey("COUNT");
        assertThat(failure(new VariableScript().source(file("b.sh", "echo words; set -e; false")), LONG))
                .isEqualTo(new VariableShell.Ending.Failed(
                        "ended the shell with 1",
                        Optional.of(directory.resolve("b.sh").toString()),
                        Optional.of("words")));
    }

    @Test
    void aScriptThatEndsTheShellHasFailedWhateverItsCode() throws IOException {
        VariableShell.Ending.Failed failed =
                failure(new VariableScript().source(file("first.sh", "")).source(file("second.sh", "exit 0")), LONG);
        assertThat(failed.how()).isEqualTo("ended the shell with 0");
        assertThat(failed.at()).contains(directory.resolve("second.sh").toString());
        assertThat(failed.lastWords()).isEmpty();
    }

    @Test
    void aScriptThatHangsIsKilledWithAllThatItStarted() throws IOException {
        Path script = file("hangs.sh", "echo waits; setsid sleep 600 & echo $! > left; (sleep 600); \n");
        VariableShell.Ending.Failed failed = failure(new VariableScript().source(script), Duration.ofMillis(500));
        assertThat(failed.how()).isEqualTo("had not ended after 0s");
        assertThat(failed.lastWords()).contains("waits");
        assertThatNothingIsLeft();
    }

    @Test
    void whatAScriptLeavesBehindHoldsNothingUp() throws IOException {
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
    void aStopEndsItAtOnce() throws IOException {
        AtomicBoolean isStopped = new AtomicBoolean();
        Path script = file("hangs.sh", "echo waits; exec sleep 600\n");
        VariableShell.Ending ending = run(new VariableScript().source(script), LONG, () -> {
            isStopped.set(isStopped.get() || said.contains("waits"));
            return isStopped.get();
        });
        assertThat(ending).isEqualTo(new VariableShell.Ending.Stopped());
    }

    @Test
    void aFloodOfWordsIsNotAllRepeated() throws IOException {
        Path script = file("flood.sh", "yes | head -n 5000; head -c 3000000 /dev/zero | tr '\\0' x; export DONE=1\n");
        assertThat(changes(new VariableScript().source(script)).set()).containsKey("DONE");
        assertThat(said).hasSize(100).allMatch(line -> line.length() <= 1000);
    }
}
