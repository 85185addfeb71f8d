package dev.muster.runtime.supervise;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.runtime.process.Termination;
import dev.muster.runtime.report.Cause;
import dev.muster.runtime.report.JobReport;
import dev.muster.runtime.report.LogReport;
import dev.muster.runtime.report.Verdict;
import dev.muster.spi.EnvironmentChange;
import dev.muster.spi.Launch;
import dev.muster.spi.ProcessSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Why a step failed. */
class FailedStepTest {

    private static final Launch LAUNCH = new Launch(Launch.literally(List.of("sh")), EnvironmentChange.NONE, "/", "x");
    private static final ProcessSpec STEP = ProcessSpec.hook(
                    "keys", LAUNCH, ProcessSpec.Phase.PROLOG, Duration.ofSeconds(10))
            .withRequired();
    private static final ProcessSpec TASK = ProcessSpec.task("rank", LAUNCH);

    @TempDir
    private Path directory;

    @Test
    void theLastLineOfAStepIsTheReasonOfItsFailure() throws IOException {
        assertThat(reason(STEP, "making a key\nno sshd here\u001b[0m. Install it\n\n"))
                .contains("no sshd here\\u001b[0m. Install it");
    }

    @Test
    void theReasonIsFoundBehindMuchOutput() throws IOException {
        assertThat(reason(STEP, "x".repeat(10_000) + "\nthe end")).contains("the end");
    }

    @Test
    void whatWasNotSaidIsNotMadeUp() throws IOException {
        assertThat(reason(STEP, "")).isEmpty();
        Path earlier = Files.writeString(directory.resolve("earlier"), "of another run\n");
        Verdict silent = FailedStep.in(failure(STEP), Map.of(STEP.id(), new LogReport(Optional.of(earlier), 0, 0)));
        assertThat(silent).isEqualTo(failure(STEP));
        assertThat(FailedStep.in(failure(STEP), Map.of())).isEqualTo(failure(STEP));
    }

    @Test
    void usersProgramsAreNotQuoted() throws IOException {
        assertThat(reason(TASK, "Traceback\n")).isEmpty();
    }

    private Optional<String> reason(ProcessSpec process, String output) throws IOException {
        Path log = Files.writeString(directory.resolve("log"), output);
        Verdict verdict = FailedStep.in(
                failure(process), Map.of(process.id(), new LogReport(Optional.of(log), output.length(), 0)));
        return ((Cause.ProcessFailed) verdict.cause()).reason();
    }

    private static Verdict failure(ProcessSpec process) {
        return new Verdict(
                Optional.empty(),
                new Cause.ProcessFailed(process, 7, Termination.exited(69), Optional.empty()),
                List.of(),
                Duration.ofSeconds(1),
                Duration.ZERO,
                JobReport.NONE);
    }
}
