package dev.muster.testkit.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.runtime.report.Cause;
import dev.muster.runtime.report.ExitCodes;
import dev.muster.runtime.report.ProcessReport;
import dev.muster.runtime.report.Verdict;
import dev.muster.spi.Condition;
import dev.muster.spi.ProcessSpec;
import dev.muster.testkit.Engines;
import dev.muster.testkit.Rule;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.extension.TestExecutionExceptionHandler;
import org.junit.jupiter.api.io.TempDir;

/**
 * Rule R9: what happens when the runtime carries out an engine's plans, with real processes, signals and files. An engine's module
 * extends this class and names its engine.
 *
 * @since 0.1
 */
@Timeout(120)
public abstract class SupervisionConformance {

    private static final Duration LONG = Duration.ofMinutes(2);
    private static final Duration SHORT = Duration.ofMillis(300);
    private static final int CARDS = 4;
    private static final int SIGTERM = 15;
    private static final int SIGUSR1 = 10;

    /** Adds the rule and its page to every failure. */
    @RegisterExtension
    final TestExecutionExceptionHandler told = (test, failed) -> {
        throw Rule.SUPERVISION.broken(
                engineId() + ", " + test.getDisplayName(),
                String.valueOf(failed),
                "see what the page says of R9",
                failed);
    };

    /** The directory of the test. Its name marks every process that the test starts. */
    @TempDir
    Path directory;

    /** The id of the engine under test, as users give it to {@code --engine}. */
    protected abstract String engineId();

    /** Options of the engine that differ from their defaults. */
    protected Map<String, String> engineOptions() {
        return Map.of();
    }

    /** After every test, no process of the plan is left. */
    @AfterEach
    void leavesNothingBehind() {
        assertThat(processes().toList()).as("processes that were left behind").isEmpty();
    }

    /** If all tasks end with 0, the job ends with 0. */
    @Test
    public void endsWithZeroWhenAllTasksDo() throws Exception {
        assertThat(job("exit 0").run(LONG)).isZero();
    }

    /** The job ends with the code of the task that fails, and the launcher stops the others. */
    @Test
    public void passesTheCodeOfTheFirstFailureOn() throws Exception {
        Verdict verdict =
                job("if mkdir \"$1/first\"; then exit 3; fi; exec sleep 600").verdict(LONG);

        assertThat(verdict.cause())
                .isInstanceOfSatisfying(
                        Cause.ProcessFailed.class,
                        failed -> assertThat(failed.termination().exitCode()).isEqualTo(3));
        // Ranks that a process hosts are not processes of the plan.
        assertThat(verdict.processes().stream().filter(ProcessReport::failed)).hasSizeLessThanOrEqualTo(1);
    }

    /** A task that a signal killed gives 128+n. */
    @Test
    public void namesTheSignalThatKilledATask() throws Exception {
        assertThat(job("if mkdir \"$1/first\"; then kill -9 $$; fi; exec sleep 600")
                        .run(LONG))
                .isEqualTo(128 + 9);
    }

    /**
     * SIGTERM to the launcher reaches the tasks, which have their grace; the job ends with 143. The tasks of such tests leave no process
     * behind: a process that the shell has just forked can lose a SIGTERM, and would then run for the whole grace.
     */
    @Test
    public void givesTasksTheirGraceAfterSigterm() throws Exception {
        SupervisedRun job = job("trap 'echo saved; exit 0' TERM; : > \"$1/up.$$\"; while :; do sleep 0.05; done");

        assertThat(stopped(job, LONG)).isEqualTo(128 + SIGTERM);
        for (String process : started(job)) {
            assertThat(job.logOf(process)).content().contains("saved");
        }
    }

    /** A process that a task starts to clean up has its grace. When the task has ended, it counts as left behind. */
    @Test
    public void endsWhatTasksStartAfterSigterm() throws Exception {
        SupervisedRun job = job("trap 'sleep 600 & sleep 0.3; echo saved; exit 0' TERM; : > \"$1/up.$$\"; "
                + "while :; do sleep 0.05; done");

        assertThat(stopped(job, LONG)).isEqualTo(128 + SIGTERM);
        assertThat(job.said()).doesNotContain("SIGKILL to");
        assertThat(job.console()).contains("saved");
    }

    /** The launcher kills tasks that ignore SIGTERM after the grace, with their children. */
    @Test
    public void killsTasksThatIgnoreSigterm() throws Exception {
        SupervisedRun job = job("trap '' TERM; : > \"$1/up.$$\"; sleep 600 & wait; sleep 600");

        assertThat(stopped(job, SHORT)).isEqualTo(128 + SIGTERM);
        assertThat(job.said()).contains("SIGKILL to");
    }

    /** The launcher also ends processes that a task leaves behind. */
    @Test
    public void endsWhatTasksLeaveBehind() throws Exception {
        SupervisedRun job = job("sh -c \"trap '' TERM; while :; do sleep 600; done\" \"$1\" & exit 0");

        assertThat(job.run(SHORT)).isZero();
    }

    /** SIGUSR1 and SIGUSR2 reach the tasks and stop nothing. */
    @Test
    public void passesUserSignalsOn() throws Exception {
        SupervisedRun job = job("trap 'echo signalled; exit 0' USR1; : > \"$1/up.$$\"; while :; do sleep 0.05; done");
        CompletableFuture<Integer> code = run(job, LONG);

        job.signal(SIGUSR1);

        assertThat(code.get(60, TimeUnit.SECONDS)).isZero();
        assertThat(job.console()).contains("signalled");
    }

    /** The log of a task has what the task printed, byte for byte, and the console has it with a prefix. */
    @Test
    public void keepsTheOutputOfEveryTask() throws Exception {
        SupervisedRun job = job("printf 'one\\ntwo\\r\\n\\377\\000last'; echo err >&2");

        Verdict end = job.verdict(LONG);
        assertThat(ExitCodes.STANDARD.of(end.cause())).isZero();
        // A task that the end of the job stops may have printed a part only.
        List<String> stopped = end.processes().stream()
                .filter(ProcessReport::stoppedByUs)
                .map(report -> report.spec().id())
                .toList();
        for (String process : started(job)) {
            String log = bytes(job.logOf(process));
            assertThat(allowedOutputs())
                    .as(process + " printed " + log)
                    .anyMatch(whole -> stopped.contains(process) ? whole.startsWith(log) : log.endsWith(whole));
        }
        int all = started(job).size();
        assertThat(job.console().lines().filter(line -> line.endsWith("] one")).count())
                .isBetween((long) all - stopped.size(), (long) all);
    }

    /**
     * Whether the output of tasks stays in order across standard output and standard error. It does if the launcher starts the tasks
     * itself; mpirun carries each stream separately.
     */
    protected boolean keepsStreamsInOrder() {
        return true;
    }

    private List<String> allowedOutputs() {
        String out = "one\ntwo\r\n\u00ff\0last";
        String err = "err\n";
        return keepsStreamsInOrder() ? List.of(out + err) : List.of(out + err, err + out);
    }

    /** The content of a file, one character for each byte. */
    private static String bytes(Path file) throws IOException {
        return new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
    }

    private SupervisedRun job(String script) throws Exception {
        return SupervisedRun.of(Engines.named(engineId()), CARDS, engineOptions(), script, directory);
    }

    /** Waits until every task has made its file, then sends SIGTERM. */
    private int stopped(SupervisedRun job, Duration grace) throws Exception {
        CompletableFuture<Integer> code = run(job, grace);
        job.signal(SIGTERM);
        return code.get(60, TimeUnit.SECONDS);
    }

    private CompletableFuture<Integer> run(SupervisedRun job, Duration grace)
            throws IOException, InterruptedException, ExecutionException {
        CompletableFuture<Integer> code = new CompletableFuture<>();
        Thread runner = new Thread(
                () -> {
                    try {
                        code.complete(job.run(grace));
                    } catch (InterruptedException | RuntimeException | Error failed) {
                        code.completeExceptionally(failed);
                    }
                },
                "job");
        runner.start();
        while (filesUp() < started(job).size()) {
            assertThat(code)
                    .as("the job ended before all its processes were up")
                    .isNotDone();
            TimeUnit.MILLISECONDS.sleep(10);
        }
        return code;
    }

    private long filesUp() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(file -> String.valueOf(file.getFileName()).startsWith("up."))
                    .count();
        }
    }

    /** The processes that run the user's command. Services with another command are left out. */
    private static List<String> started(SupervisedRun job) {
        return job.plan().processes().stream()
                .filter(process -> process.startWhen().kind() == Condition.Kind.IMMEDIATELY
                        || process.startWhen().kind() == Condition.Kind.READY)
                .filter(process -> !(process instanceof ProcessSpec.Hook))
                .filter(job::runsTheCommand)
                .map(ProcessSpec::id)
                .toList();
    }

    private Stream<ProcessHandle> processes() {
        String mark = directory.toString();
        return ProcessHandle.allProcesses()
                .filter(process -> process.info()
                        .commandLine()
                        .filter(line -> line.contains(mark))
                        .isPresent());
    }
}
