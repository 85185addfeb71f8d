package dev.muster.runtime.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(30)
class ProcessLauncherTest {

    @TempDir
    Path directory;

    private final RunMarker marker = RunMarker.random();

    @Test
    void theExitCodeArrives() throws Exception {
        assertThat(run(Map.of(), "/bin/sh", "-c", "exit 42")).isEqualTo(Termination.exited(42));
        assertThat(run(Map.of(), "/bin/sh", "-c", "kill -9 $$")).isEqualTo(Termination.signalled(9));
    }

    @Test
    void theProcessLeadsASessionAndAGroupOfItsOwn() throws Exception {
        run(Map.of(), "/bin/sh", "-c", "echo $$; cut -d' ' -f5,6 /proc/$$/stat");

        List<String> lines = Files.readAllLines(output());
        assertThat(lines.get(1)).isEqualTo(lines.get(0) + " " + lines.get(0));
    }

    /** Threads of a JVM block SIGQUIT: whoever wants to see the stacks of a rank by it must not wait for ever. */
    @Test
    void noSignalIsBlocked() throws Exception {
        run(Map.of(), "/bin/grep", "SigBlk", "/proc/self/status");

        run(IgnoredSignals.atStart(Optional.of("4")), "/bin/grep", "SigBlk", "/proc/self/status");

        assertThat(Files.readString(output())).isEqualTo("SigBlk:\t0000000000000000\n".repeat(2));
    }

    @Test
    void aProgramMayHaveAnEqualsSignInItsName() throws Exception {
        Path program = Files.createSymbolicLink(directory.resolve("rate=1"), Path.of("/bin/echo"));

        run(Map.of(), program.toString(), "x");
        run(IgnoredSignals.atStart(Optional.of("1")), program.toString(), "y");

        assertThat(Files.readString(output())).isEqualTo("x\ny\n");
    }

    @Test
    void argumentsArriveByteForByte() throws Exception {
        List<String> words =
                List.of("a b", "", "\"quoted\"", "it's", "$HOME", "*", "line\nbreak", "tab\t", "back\\slash", "${x}");
        List<String> command = new ArrayList<>(List.of("/usr/bin/printf", "%s\\0"));
        command.addAll(words);

        run(Map.of(), command.toArray(String[]::new));

        assertThat(Files.readString(output())).isEqualTo(String.join("\0", words) + "\0");
    }

    @Test
    void bothStreamsGoToTheOutput() throws Exception {
        run(Map.of(), "/bin/sh", "-c", "echo one; echo two >&2; echo three");

        assertThat(Files.readString(output())).isEqualTo("one\ntwo\nthree\n");
    }

    @Test
    void variablesAreSetAndRemovedAndMarked() throws Exception {
        run(Map.of("RANK_ID", "3", "PATH", "/nowhere"), "/usr/bin/env", "-0");

        Set<String> environment = environment();
        assertThat(environment).contains("RANK_ID=3", "PATH=/nowhere", RunMarker.VARIABLE + "=" + marker.value());
        assertThat(environment).noneMatch(variable -> variable.startsWith("HOME="));
    }

    @Test
    void whatTheStartScriptChangedIsGivenBack() throws Exception {
        InheritedEnvironment inherited =
                new InheritedEnvironment(new TreeMap<>(Map.of("LC_ALL", "C")), new TreeSet<>(Set.of("PATH")));

        run(inherited, Map.of(), "/usr/bin/env", "-0");

        assertThat(environment()).contains("LC_ALL=C").noneMatch(variable -> variable.startsWith("PATH="));
    }

    @Test
    void itRunsInItsWorkingDirectory() throws Exception {
        run(Map.of(), "/bin/pwd");

        assertThat(Files.readString(output()).strip())
                .isEqualTo(directory.toRealPath().toString());
    }

    private Termination run(Map<String, String> set, String... command) throws Exception {
        return run(new InheritedEnvironment(new TreeMap<>(), new TreeSet<>()), set, command);
    }

    private Termination run(InheritedEnvironment inherited, Map<String, String> set, String... command)
            throws Exception {
        return run(inherited, IgnoredSignals.none(), set, command);
    }

    private Termination run(IgnoredSignals ignored, String... command) throws Exception {
        return run(new InheritedEnvironment(new TreeMap<>(), new TreeSet<>()), ignored, Map.of(), command);
    }

    private Termination run(
            InheritedEnvironment inherited, IgnoredSignals ignored, Map<String, String> set, String... command)
            throws Exception {
        CompletableFuture<Termination> end = new CompletableFuture<>();
        new ProcessLauncher(inherited, marker, ignored, new OpenFiles(Path.of("/")), pid -> {})
                .start(
                        new ProcessRequest(
                                "test",
                                Arrays.asList(command),
                                new TreeMap<>(set),
                                new TreeSet<>(Set.of("HOME")),
                                directory,
                                Optional.of(output())),
                        end::complete);
        return end.get(20, TimeUnit.SECONDS);
    }

    private Set<String> environment() throws IOException {
        return new TreeSet<>(
                Arrays.asList(new String(Files.readAllBytes(output()), StandardCharsets.UTF_8).split("\0")));
    }

    private Path output() {
        return directory.resolve("output");
    }
}
