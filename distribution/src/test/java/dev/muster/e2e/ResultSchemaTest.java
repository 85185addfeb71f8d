package dev.muster.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.muster.runtime.diagnostics.FailedRank;
import dev.muster.runtime.link.JobEnd;
import dev.muster.runtime.link.LinkReport;
import dev.muster.runtime.link.LocalEvent;
import dev.muster.runtime.memory.MemoryKills;
import dev.muster.runtime.output.LogReport;
import dev.muster.runtime.process.ResourceUse;
import dev.muster.runtime.process.Signals.ReceivedSignal;
import dev.muster.runtime.process.Termination;
import dev.muster.runtime.report.Cause;
import dev.muster.runtime.report.Evidence;
import dev.muster.runtime.report.ExitCodes;
import dev.muster.runtime.report.JobReport;
import dev.muster.runtime.report.NodeRun;
import dev.muster.runtime.report.ProcessReport;
import dev.muster.runtime.report.ReportPage;
import dev.muster.runtime.report.TerminationLog;
import dev.muster.runtime.report.Verdict;
import dev.muster.runtime.report.VerdictWriter;
import dev.muster.spi.EnvironmentChange;
import dev.muster.spi.Launch;
import dev.muster.spi.ProcessSpec;
import dev.muster.spi.RankInfo;
import dev.muster.spi.Value;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Results follow their schema, and the page documents the schema. */
class ResultSchemaTest {

    private static final Schema SCHEMA = Schema.of("result.schema.json");
    private static final Pattern KEY = Pattern.compile("`([A-Za-z]+)`");

    private final List<String> said = new ArrayList<>();

    @TempDir
    private Path directory;

    @DisplayName("the result of every kind of end follows the schema, and says what the console said")
    @ParameterizedTest(name = "{0}")
    @MethodSource("verdicts")
    void everyKindOfEndIsAsTheSchemaHasIt(String kind, Verdict verdict) throws IOException {
        JsonNode result = written(verdict);
        // The result does not contain its own path.
        said.removeIf(line -> line.contains("; result: "));

        assertThat(SCHEMA.problems(result)).isEmpty();
        assertThat(result.get("kind").asText()).isEqualTo(kind);
        assertThat(result.get("verdict")).extracting(JsonNode::asText).isEqualTo(said);
        assertThat(said)
                .last()
                .isEqualTo("exit " + result.get("exitCode") + ": "
                        + result.get("reason").asText());
        assertThat(said).hasSizeLessThanOrEqualTo(25);
    }

    @DisplayName("the page names all keys of the schema, and no others")
    @Test
    void thePageAndTheSchemaNameTheSameKeys() throws IOException {
        Set<String> documented = new TreeSet<>();
        for (String line : Files.readAllLines(Path.of("../docs/result-format.md"))) {
            if (line.startsWith("| `")) {
                Matcher key = KEY.matcher(line.split(" \\| ", -1)[0]);
                while (key.find()) {
                    documented.add(key.group(1));
                }
            }
        }
        // The page has one row for the keys of a group of processes, and one for those of an end on another node.
        documented.addAll(List.of(
                "stopped", "killed", "done", "failed", "leftToEnd", "neverStarted", "host", "process", "processes"));
        assertThat(documented).isEqualTo(SCHEMA.keys());
    }

    @DisplayName("the validation finds keys and values that break the schema")
    @Test
    void theSchemaFindsMistakes() throws IOException {
        ObjectNode result = (ObjectNode) written(success());
        result.put("exitCode", 300);
        result.put("startedAt", "yesterday");
        result.put("other", "x");
        result.remove("reason");

        assertThat(SCHEMA.problems(result)).hasSize(4);
    }

    @DisplayName("secrets do not reach the result")
    @Test
    void secretsDoNotReachIt() throws IOException {
        Cause cause = new Cause.Decided(75, "cannot reach hunter22hunter22");

        assertThat(String.valueOf(written(verdict(cause))))
                .doesNotContain("hunter22")
                .contains("******");
    }

    private JsonNode written(Verdict verdict) throws IOException {
        said.clear();
        NodeRun run = new NodeRun(
                "job",
                "ascend",
                "none",
                "no variable of a platform is set",
                verdict.planName(),
                "0",
                OptionalInt.of(0),
                OptionalInt.of(2),
                directory,
                Optional.of("SLURM_RESTART_COUNT=2"),
                Instant.EPOCH);
        VerdictWriter writer = new VerdictWriter(
                said::add,
                said::add,
                text -> text.replace("hunter22hunter22", "******"),
                Clock.systemUTC(),
                new TerminationLog(directory, Map.of(), text -> text),
                new ReportPage("off", Map::of),
                Map.of("summary", "rank 7 in read (data.py:41)"));
        writer.write(
                run,
                verdict,
                logs(),
                ExitCodes.STANDARD,
                List.of(writer.attempt(1, run.startedAt(), verdict, ExitCodes.STANDARD, logs())));
        return Json.parse(Files.readString(directory.resolve("job-node-0-result.json")));
    }

    private Map<String, LogReport> logs() {
        return Map.of(
                "rank-0", new LogReport(Optional.of(directory.resolve("rank-0.txt")), 10, 0, () -> "the last line\n"));
    }

    static Stream<Object[]> verdicts() {
        return Stream.of(
                new Object[] {"success", success()},
                new Object[] {"success", verdict(new Cause.Decided(0, "the workers are done"))},
                new Object[] {"failure", failure(Optional.empty())},
                new Object[] {"failure", failure(Optional.of(culprit()))},
                new Object[] {"failure", elsewhere(JobEnd.Kind.FAILED)},
                new Object[] {"stop", verdict(new Cause.Interrupted(new ReceivedSignal("TERM", 15)))},
                new Object[] {
                    "stop",
                    verdict(new Cause.StoppedFromOutside(rank(0), 100, Termination.signalled(15), Optional.empty()))
                },
                new Object[] {"stop", elsewhere(JobEnd.Kind.STOPPED)},
                new Object[] {"outcome", verdict(new Cause.Decided(75, "ps 1 is lost"))},
                new Object[] {"outcome", elsewhere(JobEnd.Kind.OUTCOME)},
                new Object[] {"refused", elsewhere(JobEnd.Kind.REFUSED)},
                new Object[] {"lost", elsewhere(JobEnd.Kind.LOST)});
    }

    private static Verdict success() {
        return verdict(new Cause.Success());
    }

    private static FailedRank culprit() {
        return new FailedRank(1, OptionalInt.of(1), OptionalInt.of(-9), OptionalLong.of(71));
    }

    private static Verdict failure(Optional<FailedRank> culprit) {
        Cause cause = new Cause.ProcessFailed(rank(0), 100, Termination.signalled(11), Optional.empty());
        Evidence.Words words = new Evidence.Words(List.of("KeyError: 1"), Optional.of("mpirun"), culprit.isEmpty());
        return verdict(cause)
                .with(new Evidence("node 0 (gpu1)", "python3 train.py", words, culprit))
                .with(MemoryKills.NONE);
    }

    private static Verdict elsewhere(JobEnd.Kind kind) {
        JobEnd end = new JobEnd(
                kind,
                "node-1",
                Optional.of("gpu2"),
                kind == JobEnd.Kind.STOPPED ? 143 : 75,
                OptionalInt.of(15),
                "it ended",
                Optional.of("rank-4"),
                OptionalInt.of(4),
                OptionalLong.of(71),
                Optional.of("/logs/4.txt"),
                OptionalLong.empty());
        LinkReport launchers = new LinkReport(List.of(new LinkReport.NodeEnd(
                "node-1",
                Optional.of("gpu2"),
                "left",
                OptionalInt.of(3),
                Optional.of(end),
                List.of(new LinkReport.ProcessEnd(
                        new LocalEvent.Started("rank-4", 71, OptionalInt.of(4), Optional.of("/logs/4.txt"), 1),
                        1,
                        Optional.of(new LocalEvent.Ended(
                                "rank-4",
                                3,
                                OptionalInt.empty(),
                                "exit code 3",
                                false,
                                2,
                                OptionalLong.of(1 << 20),
                                OptionalLong.of(1500),
                                OptionalLong.of(20))),
                        OptionalLong.of(2))))));
        JobReport job = new JobReport(Optional.of("node-0"), Optional.of(end), launchers, 5);
        return new Verdict(Optional.empty(), new Cause.Elsewhere(end), processes(), Duration.ZERO, Duration.ZERO, job);
    }

    private static Verdict verdict(Cause cause) {
        return new Verdict(
                Optional.empty(), cause, processes(), Duration.ofSeconds(2), Duration.ofMillis(3), JobReport.NONE);
    }

    private static List<ProcessReport> processes() {
        return List.of(
                report(0, Optional.of(Termination.signalled(11)), false),
                report(1, Optional.of(Termination.signalled(15)), true),
                report(2, Optional.of(Termination.signalled(9)), true),
                report(3, Optional.of(Termination.exited(0)), false),
                report(4, Optional.of(Termination.exited(3)), false),
                report(5, Optional.empty(), false));
    }

    private static ProcessReport report(int rank, Optional<Termination> how, boolean stopped) {
        return new ProcessReport(
                rank(rank),
                how.isPresent() ? 100 + rank : 0,
                how,
                stopped,
                false,
                Duration.ofSeconds(1),
                Duration.ZERO,
                false,
                how.map(end -> new ResourceUse(1 << 20, Duration.ofMillis(1500), Duration.ofMillis(20))));
    }

    private static ProcessSpec rank(int rank) {
        return ProcessSpec.task(
                        "rank-" + rank,
                        new Launch(List.of(Value.of("train")), EnvironmentChange.NONE, "/", rank + ".log"))
                .withPlacement(new RankInfo(rank, rank, 8));
    }
}
