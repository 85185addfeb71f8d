package dev.muster.runtime.commands;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.runtime.config.Environment;
import dev.muster.runtime.errors.StoppedException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class CommandRunnerTest {

    private static final Duration LONG = Duration.ofMinutes(1);
    private static final Map<String, String> VARIABLES = Map.of("PATH", System.getenv("PATH"));

    @TempDir
    private Path directory;

    private CommandRunner commands(BooleanSupplier areToStop) {
        return new CommandRunner(TestCommands.context(directory, VARIABLES, areToStop));
    }

    private CommandRunner.Answer ask(Duration deadline, String... command) {
        return commands(() -> false).ask(List.of(command), deadline);
    }

    @Test
    void theAnswerIsStandardOutputAndTheExitCode() {
        assertThat(ask(LONG, "sh", "-c", "echo ' fact'; echo noise >&2; exit 3"))
                .isEqualTo(new CommandRunner.Answer(3, " fact\n"));
    }

    @Test
    void aCommandThatIsNotThereIsAnAnswerToo() {
        assertThat(ask(LONG, "no-such-program")).isEqualTo(new CommandRunner.Answer(127, ""));
        assertThat(ask(LONG, directory.toString())).isEqualTo(new CommandRunner.Answer(126, ""));
    }

    @Test
    void aCommandThatTakesTooLongIsKilledWithItsChildren() {
        String mark = "0.6." + ProcessHandle.current().pid();
        assertThat(ask(
                        Duration.ofMillis(200),
                        "sh",
                        "-c",
                        "trap '' TERM; sleep 600 & echo $$ " + mark + "; wait; wait"))
                .isEqualTo(new CommandRunner.Answer(124, ""));
        ProcessHandle.current()
                .descendants()
                .filter(process -> process.info().commandLine().orElse("").contains(mark))
                .forEach(process -> process.onExit().join());
    }

    @Test
    void whatACommandLeavesBehindHoldsNothingUp() {
        assertThat(ask(LONG, "sh", "-c", "sleep 5 & echo fact").exitCode()).isZero();
    }

    @Test
    void aSignalIsAnExitCodeAsInAShell() {
        assertThat(ask(LONG, "sh", "-c", "kill -9 $$").exitCode()).isEqualTo(137);
    }

    @Test
    void aCommandReadsNothingAndRunsInTheGivenDirectory() {
        assertThat(ask(LONG, "sh", "-c", "cat; pwd").output()).isEqualTo(directory + "\n");
    }

    @Test
    void itsEnvironmentIsTheCallersWithChanges() {
        Environment changed = Environment.of(VARIABLES).changed(Map.of("NEW", "x y"), java.util.Set.of());

        assertThat(commands(() -> false)
                        .with(changed)
                        .ask(List.of("sh", "-c", "echo $NEW-$HOME"), LONG)
                        .output())
                .isEqualTo("x y-\n");
    }

    @Test
    void aLongAnswerIsCutOff() {
        assertThat(ask(LONG, "head", "-c", "100000", "/dev/zero").output()).hasSize(64 * 1024);
    }

    @Test
    void aStopWaitsForNoAnswer() {
        CommandRunner toStop = commands(() -> true);
        assertThatThrownBy(() -> toStop.ask(List.of("sh", "-c", "sleep 600 & wait"), LONG))
                .isInstanceOf(StoppedException.class);
    }
}
