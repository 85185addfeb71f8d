package dev.muster.runtime.supervise;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.runtime.errors.MusterException;
import dev.muster.runtime.output.Console;
import dev.muster.runtime.process.Signals;
import dev.muster.runtime.report.Cause;
import dev.muster.runtime.report.Verdict;
import dev.muster.runtime.text.Secrets;
import dev.muster.spi.Condition;
import dev.muster.spi.EnvironmentChange;
import dev.muster.spi.GeneratedFile;
import dev.muster.spi.Launch;
import dev.muster.spi.LaunchPlan;
import dev.muster.spi.Outcome;
import dev.muster.spi.ProcessSpec;
import dev.muster.spi.RequiredDirectory;
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

/** What only real processes and files show of the words that plans are made of. */
@Timeout(60)
class PlanRunTest {

    private static final Duration GRACE = Duration.ofSeconds(20);
    private static final Value PRIVATE = Value.privateDirectory();

    @TempDir
    private Path directory;

    private final Signals signals = Signals.delivered();
    private final ByteArrayOutputStream said = new ByteArrayOutputStream();
    private Path runtime = Path.of("/");

    @BeforeEach
    void makeAPlaceOfOnesOwn() throws IOException {
        runtime = TestPlanRuns.place();
    }

    @AfterEach
    void leaveNothing() throws IOException {
        assertThat(runtime).isEmptyDirectory();
        Files.delete(runtime);
    }

    @Test
    void theEnvironmentOfAProcessIsWrittenWithoutSecrets() throws Exception {
        Path rank = directory.resolve("rank");
        Value environment = Value.joined(Value.of("# rank\n"), Value.environmentOf("rank"));
        GeneratedFile log = new GeneratedFile("log", Optional.of(rank.toString()), "env.log", environment);
        EnvironmentChange change = EnvironmentChange.of(
                Map.of(
                        "TABLE", Value.joined(Value.of("in:"), PRIVATE),
                        "S3_ACCESS", Value.of("do-not-show"),
                        "MINE", Value.of("nor this"),
                        "TWO", Value.of("a\nb")),
                List.of("PATH"));
        ProcessSpec task =
                ProcessSpec.task("rank", new Launch(words("/bin/true"), change, directory.toString(), "rank.txt"));

        run(LaunchPlan.builder(Outcome.ALL_TASKS).file(log).process(task).build());

        assertThat(Files.readString(rank.resolve("env.log")))
                .startsWith("# rank\n")
                .contains("\nMINE=******\n", "\nS3_ACCESS=******\n", "\nTABLE=in:" + runtime)
                .contains("\nTWO=a\nb\n")
                .doesNotContain("do-not-show", "nor this", "\nPATH=");
    }

    @Test
    void aDirectoryIsEmptiedBeforeAnythingStarts() throws Exception {
        Path rank = directory.resolve("rank");
        LaunchPlan plan = LaunchPlan.builder(Outcome.ALL_TASKS)
                .directory(RequiredDirectory.of(rank.toString(), "working directory")
                        .emptied("job"))
                .process(task("rank", "test ! -e rank/left; touch rank/left", Condition.IMMEDIATELY))
                .build();

        run(plan);
        assertThat(rank.resolve("left")).exists();
        assertThat(run(plan).cause()).isInstanceOf(Cause.Success.class);

        Files.writeString(rank.resolve(".muster-owner"), "another");
        assertThatThrownBy(() -> run(plan))
                .isInstanceOf(MusterException.class)
                .hasMessageContainingAll("working directory: the directory " + rank, "another", "--workdir");
        assertThat(rank.resolve("left")).exists();
    }

    private ProcessSpec task(String id, String script, Condition startWhen, Value... arguments) {
        return ProcessSpec.task(id, launch(id, script, arguments)).withStartWhen(startWhen);
    }

    private Launch launch(String id, String script, Value... arguments) {
        return new Launch(words(script, arguments), EnvironmentChange.NONE, directory.toString(), id + ".txt");
    }

    private static List<Value> words(String script, Value... arguments) {
        List<Value> words = new ArrayList<>(List.of(Value.of("/bin/sh"), Value.of("-c"), Value.of(script)));
        words.addAll(List.of(arguments));
        return words;
    }

    private Verdict run(LaunchPlan plan) throws InterruptedException {
        try (Console console = Console.onto(new ByteArrayOutputStream(), said)) {
            PlanRun run = TestPlanRuns.in(runtime, console, signals);
            return run.run(
                            plan,
                            RunSettings.builder("test", Instant.EPOCH, directory)
                                    .grace(GRACE)
                                    .inputTimeout(GRACE)
                                    .environment(System.getenv())
                                    .secrets(new Secrets(List.of("MINE")), List.of())
                                    .build())
                    .verdict();
        }
    }
}
