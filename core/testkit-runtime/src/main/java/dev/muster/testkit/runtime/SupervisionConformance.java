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
 * What every engine's plans do when they are carried out: real processes, real signals, real files, through the runtime's own
 * supervisor. An engine's module extends this class and names its engine.
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

    /** Whatever fails, with the rule and its page. */
    @RegisterExtension
    final TestExecutionExceptionHandler told = (test, failed) -> {
        throw Rule.SUPERVISION.broken(
                engineId() + ", " + test.getDisplayName(),
                String.valueOf(failed),
                "see what the page says of R9",
                failed);
    };

    /** The test's own directory; its name marks every process that is started. */
    @TempDir
    Path directory;

    /** The id of the engine under test, as users give it to {@code --engine}. */
    protected abstract String engineId();

    /** Options of the engine that differ from their defaults. */
    protected Map<String, String> engineOptions() {
        return Map.of();
    }

    /** Whatever the plan was, none of its processes is left. */
    @AfterEach
    void leavesNothingBehind() {
        assertThat(processes().toList()).as("processes that were left behind").isEmpty();
    }

    /** All tasks end with 0: so does the job. */
    @Test
    public void endsWithZeroWhenAllTasksDo() throws Exception {
        assertThat(job("exit 0").run(LONG)).isZero();
    }

    /** The code of the task that fails is the job's, and the others are stopped. */
    @Test
    public void passesTheCodeOfTheFirstFailureOn() throws Exception {
        Verdict verdict =
                job("if mkdir \"$1/first\"; then exit 3; fi; exec sleep 600").verdict(LONG);

        assertThat(verdict.cause())
                .isInstanceOfSatisfying(
                        Cause.ProcessFailed.class,
                        failed -> assertThat(failed.termination().exitCode()).isEqualTo(3));
        // What a process of the plan hosts is none of the plan's.
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
     * SIGTERM to the launcher reaches the tasks, which may take their time; the job ends with 143. The tasks of such tests leave no process
     * behind: one that the shell has just forked can lose a SIGTERM, and would have its whole grace.
     */
    @Test
    public void givesTasksTheirGraceAfterSigterm() throws Exception {
        SupervisedRun job = job("trap 'echo saved; exit 0' TERM; : > \"$1/up.$$\"; while :; do sleep 0.05; done");

        assertThat(stopped(job, LONG)).isEqualTo(128 + SIGTERM);
        for (String process : started(job)) {
            assertThat(job.logOf(process)).content().contains("saved");
        }
    }

    /** Whoever a task starts to put its things away has its time; once the task has ended it is what the task left behind. */
    @Test
    public void endsWhatTasksStartAfterSigterm() throws Exception {
        SupervisedRun job = job("trap 'sleep 600 & sleep 0.3; echo saved; exit 0' TERM; : > \"$1/up.$$\"; "
                + "while :; do sleep 0.05; done");

        assertThat(stopped(job, LONG)).isEqualTo(128 + SIGTERM);
        assertThat(job.said()).doesNotContain("SIGKILL to");
        assertThat(job.console()).contains("saved");
    }

    /** Tasks that ignore SIGTERM are killed after the grace period, with their children. */
    @Test
    public void killsTasksThatIgnoreSigterm() throws Exception {
        SupervisedRun job = job("trap '' TERM; : > \"$1/up.$$\"; sleep 600 & wait; sleep 600");

        assertThat(stopped(job, SHORT)).isEqualTo(128 + SIGTERM);
        assertThat(job.said()).contains("SIGKILL to");
    }

    /** What a task leaves behind when it ends is ended too. */
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
        // One that the job's end stops may have printed a part only.
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
     * Whether what tasks print stays in order across their two streams. It does where tasks are started directly; mpirun
     * carries each stream by itself.
     */
    protected boolean keepsStreamsInOrder() {
        return true;
    }

    private List<String> allowedOutputs() {
        String out = "one\ntwo\r\n\u00ff\0last";
        String err = "err\n";
        return keepsStreamsInOrder() ? List.of(out + err) : List.of(out + err, err + out);
    }

    /** One character a byte. */
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

    /** The processes that run the user's command: services that do something else are none of them. */
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
