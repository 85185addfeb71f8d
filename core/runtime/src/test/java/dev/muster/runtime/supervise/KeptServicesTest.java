package dev.muster.runtime.supervise;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.runtime.output.Console;
import dev.muster.runtime.process.Signals;
import dev.muster.runtime.process.Termination;
import dev.muster.runtime.report.Cause;
import dev.muster.runtime.report.ProcessReport;
import dev.muster.runtime.report.Verdict;
import dev.muster.spi.EnvironmentChange;
import dev.muster.spi.GeneratedFile;
import dev.muster.spi.Launch;
import dev.muster.spi.LaunchPlan;
import dev.muster.spi.Outcome;
import dev.muster.spi.ProcessSpec;
import dev.muster.spi.Value;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Services that go on from run to run, as real processes. */
@Timeout(60)
class KeptServicesTest {

    /**
     * Serves until it is told, and starts something on the way that nobody waits for. It waits without a child: where it had one at any
     * time, the end of a run would wait for the moment between two.
     */
    private static final String SERVICE = "[ -p $1/never ] || mkfifo $1/never; cat \"$0/settings\"; ls \"$0\";"
            + " sleep 600 & echo $$ >$1/service; read -r nothing <>$1/never";

    private static final String FAILS = "until [ -s $0/service ]; do sleep 0.02; done; exit 3";

    @TempDir
    private Path directory;

    private final Signals signals = Signals.delivered();
    private final Console console = Console.onto(new ByteArrayOutputStream(), new ByteArrayOutputStream());
    private Path runtime = Path.of("/");

    @SuppressWarnings("NullAway.Init")
    private PlanRun runs;

    @BeforeEach
    void makeALauncher() throws IOException {
        runtime = TestPlanRuns.place();
        runs = TestPlanRuns.in(runtime, console, signals);
    }

    @AfterEach
    void leaveNothing() throws IOException {
        runs.putAway(true);
        assertThat(runtime).isEmptyDirectory();
        Files.delete(runtime);
        console.close();
    }

    @Test
    void goesOnInTheNextRunAndEndsWithTheLast() throws Exception {
        Verdict failed = run("a", FAILS, true);
        assertThat(failed.cause()).isInstanceOf(Cause.ProcessFailed.class);
        assertThat(service(failed).termination()).isEmpty();
        long first = service(failed).pid();
        assertThat(isThere(first)).isTrue();

        Verdict again = run("a", FAILS, true);
        assertThat(service(again).pid()).isEqualTo(first);
        assertThat(isThere(first)).isTrue();

        Verdict succeeded = run("a", "exit 0", true);
        assertThat(service(succeeded).pid()).isEqualTo(first);
        assertThat(service(succeeded).stoppedByUs()).isTrue();
        assertThat(isThere(first)).isFalse();
    }

    @Test
    void isStartedAnewWhenAFileOfItsHasChanged() throws Exception {
        long first = service(run("a", FAILS, true)).pid();
        Files.delete(directory.resolve("service"));

        Verdict again = run("b", FAILS, true);

        assertThat(service(again).pid()).isNotEqualTo(first);
        assertThat(isThere(first)).isFalse();
        assertThat(Files.readString(directory.resolve("service.txt"))).contains("a\n", "b\n");
    }

    @Test
    void isOneOfTheRunWhereNoOtherFollows() throws Exception {
        Verdict failed = run("a", FAILS, false);

        assertThat(service(failed).termination()).isPresent();
        assertThat(runs.putAway(true)).isEmpty();
    }

    @Test
    void endsWhenNoRunFollowsAfterAll() throws Exception {
        Verdict failed = run("a", FAILS, true);

        Map<String, Termination> ends = runs.putAway(true);

        assertThat(ends).containsOnlyKeys("service");
        assertThat(failed.stopped(ends).processes())
                .filteredOn(process -> process.spec().id().equals("service"))
                .allMatch(process -> process.termination().isPresent() && process.stoppedByUs());
        assertThat(isThere(service(failed).pid())).isFalse();
    }

    @Test
    void isStartedAgainWhenItHasDiedMeanwhile() throws Exception {
        long first = service(run("a", FAILS, true)).pid();
        ProcessHandle.of(first).orElseThrow().destroyForcibly();
        while (isThere(first)) {
            Thread.onSpinWait();
        }
        Files.delete(directory.resolve("service"));

        assertThat(service(run("a", FAILS, true)).pid()).isNotEqualTo(first);
    }

    private static boolean isThere(long pid) {
        return ProcessHandle.of(pid).map(ProcessHandle::isAlive).orElse(false);
    }

    private static ProcessReport service(Verdict verdict) {
        return verdict.processes().get(0);
    }

    private Verdict run(String settings, String task, boolean mayBeFollowed) throws InterruptedException {
        Value place = Value.privateDirectory();
        ProcessSpec service = ProcessSpec.service(
                        "service", launch("service", SERVICE, place, Value.of(directory.toString())))
                .withKeptFiles(List.of("settings"));
        LaunchPlan plan = LaunchPlan.builder(Outcome.ALL_TASKS)
                .file(new GeneratedFile("settings", Optional.empty(), "settings", Value.of(settings + "\n")))
                .process(service)
                .process(ProcessSpec.task("task", launch("task", task, Value.of(directory.toString()))))
                .build();
        return runs.run(
                        plan,
                        RunSettings.builder("test", Instant.EPOCH, directory)
                                .grace(Duration.ofSeconds(5))
                                .inputTimeout(Duration.ofSeconds(5))
                                .followed(mayBeFollowed)
                                .build())
                .verdict();
    }

    private Launch launch(String id, String script, Value... arguments) {
        List<Value> words = new ArrayList<>(List.of(Value.of("/bin/sh"), Value.of("-c"), Value.of(script)));
        words.addAll(List.of(arguments));
        return new Launch(words, EnvironmentChange.NONE, directory.toString(), id + ".txt");
    }
}
