package dev.muster.runtime.commands;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.runtime.config.Environment;
import dev.muster.runtime.errors.StoppedException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Both kinds of commands answer alike. */
@Timeout(60)
class CommandRunnerTest {

    private static final Duration LONG = Duration.ofMinutes(1);
    private static final Map<String, String> VARIABLES = Map.of("PATH", System.getenv("PATH"));

    @TempDir
    private Path directory;

    private CommandRunner commands(boolean isSupervised, BooleanSupplier areToStop) {
        CommandContext context = TestCommands.context(directory, VARIABLES, areToStop);
        return isSupervised
                ? new SupervisedCommands(() -> new ForkingSupervisor(new TreeMap<>(VARIABLES)), context)
                : new UnsupervisedCommands(context);
    }

    private CommandRunner.Answer ask(boolean isSupervised, Duration deadline, String... command) {
        return commands(isSupervised, () -> false).ask(List.of(command), deadline);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void theAnswerIsStandardOutputAndTheExitCode(boolean isSupervised) {
        assertThat(ask(isSupervised, LONG, "sh", "-c", "echo ' fact'; echo noise >&2; exit 3"))
                .isEqualTo(new CommandRunner.Answer(3, " fact\n"));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aCommandThatIsNotThereIsAnAnswerToo(boolean isSupervised) {
        assertThat(ask(isSupervised, LONG, "no-such-program")).isEqualTo(new CommandRunner.Answer(127, ""));
        assertThat(ask(isSupervised, LONG, directory.toString())).isEqualTo(new CommandRunner.Answer(126, ""));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aCommandThatTakesTooLongIsKilledWithItsChildren(boolean isSupervised) {
        String mark = "0.6." + ProcessHandle.current().pid() + isSupervised;
        assertThat(ask(
                        isSupervised,
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

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void whatACommandLeavesBehindHoldsNothingUp(boolean isSupervised) {
        assertThat(ask(isSupervised, LONG, "sh", "-c", "sleep 5 & echo fact").exitCode())
                .isZero();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aSignalIsAnExitCodeAsInAShell(boolean isSupervised) {
        assertThat(ask(isSupervised, LONG, "sh", "-c", "kill -9 $$").exitCode()).isEqualTo(137);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aCommandReadsNothingAndRunsInTheGivenDirectory(boolean isSupervised) {
        assertThat(ask(isSupervised, LONG, "sh", "-c", "cat; pwd").output()).isEqualTo(directory + "\n");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void itsEnvironmentIsTheCallersWithChanges(boolean isSupervised) {
        Environment changed = Environment.of(VARIABLES).changed(Map.of("NEW", "x y"), java.util.Set.of());

        assertThat(commands(isSupervised, () -> false)
                        .with(changed)
                        .ask(List.of("sh", "-c", "echo $NEW-$HOME"), LONG)
                        .output())
                .isEqualTo("x y-\n");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aLongAnswerIsCutOff(boolean isSupervised) {
        assertThat(ask(isSupervised, LONG, "head", "-c", "100000", "/dev/zero").output())
                .hasSize(64 * 1024);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aStopWaitsForNoAnswer(boolean isSupervised) {
        CommandRunner toStop = commands(isSupervised, () -> true);
        assertThatThrownBy(() -> toStop.ask(List.of("sh", "-c", "sleep 600 & wait"), LONG))
                .isInstanceOf(StoppedException.class);
    }
}
