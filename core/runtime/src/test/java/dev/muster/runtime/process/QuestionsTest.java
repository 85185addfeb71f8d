package dev.muster.runtime.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.runtime.errors.StoppedException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class QuestionsTest {

    private static final Duration LONG = Duration.ofMinutes(1);

    @TempDir
    private Path directory;

    @Test
    void theAnswerIsStandardOutputAndTheExitCode() {
        assertThat(ask(LONG, "sh", "-c", "echo fact; echo noise >&2; exit 3"))
                .isEqualTo(new Questions.Answer(3, "fact\n"));
    }

    @Test
    void aCommandThatIsNotThereIsAnAnswerToo() {
        assertThat(ask(LONG, "no-such-program")).isEqualTo(new Questions.Answer(127, ""));
        assertThat(ask(LONG, directory.toString())).isEqualTo(new Questions.Answer(126, ""));
    }

    @Test
    void aCommandThatTakesTooLongIsKilledWithItsChildren() {
        String mark = "0.6." + ProcessHandle.current().pid();
        assertThat(ask(Duration.ofMillis(200), "sh", "-c", "sleep 600 & echo $$ " + mark + "; wait"))
                .isEqualTo(new Questions.Answer(124, ""));
        assertThat(ProcessHandle.current().descendants().filter(ProcessHandle::isAlive))
                .noneMatch(process -> process.info().commandLine().orElse("").contains(mark));
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
    void aLongAnswerIsCutOff() {
        assertThat(ask(LONG, "head", "-c", "100000", "/dev/zero").output()).hasSize(64 * 1024);
    }

    @Test
    void aStopWaitsForNoAnswer() {
        String mark = "0.7." + ProcessHandle.current().pid();
        Questions toStop = questions(() -> true);
        assertThatThrownBy(() -> toStop.ask(List.of("sh", "-c", "sleep 600 & echo $$ " + mark + "; wait"), LONG))
                .isInstanceOf(StoppedException.class);
        ProcessHandle.current()
                .descendants()
                .filter(process -> process.info().commandLine().orElse("").contains(mark))
                .forEach(process -> process.onExit().join());
    }

    private Questions.Answer ask(Duration deadline, String... command) {
        return questions(() -> false).ask(List.of(command), deadline);
    }

    private Questions questions(BooleanSupplier areToStop) {
        InheritedEnvironment inherited = new InheritedEnvironment(new TreeMap<>(), new TreeSet<>());
        return new Questions(inherited, Optional.ofNullable(System.getenv("PATH")), directory, areToStop);
    }
}
