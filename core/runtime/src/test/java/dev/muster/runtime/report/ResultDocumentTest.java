package dev.muster.runtime.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.runtime.link.JobEnd;
import dev.muster.runtime.link.LinkReport;
import dev.muster.runtime.link.LocalEvent;
import dev.muster.runtime.process.Signals.ReceivedSignal;
import dev.muster.runtime.process.Termination;
import dev.muster.spi.EnvironmentChange;
import dev.muster.spi.Launch;
import dev.muster.spi.ProcessSpec;
import dev.muster.spi.Value;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class ResultDocumentTest {

    private static final Instant END = Instant.parse("2026-01-01T00:00:10Z");

    @Test
    void saysWhenTheCauseBecameKnown() {
        assertThat(document(Optional.empty(), new Cause.Decided(75, "ps 1 is lost")))
                .containsEntry("decidedAt", "2026-01-01T00:00:07Z")
                .containsEntry("endedAt", "2026-01-01T00:00:10Z");
    }

    @Test
    void namesTheNodesPartWhereThePlanDoes() {
        assertThat(document(Optional.of("ps-0"), new Cause.Success()))
                .containsEntry("name", "ps-0")
                .containsEntry("node", "0");
        assertThat(document(Optional.empty(), new Cause.Success())).doesNotContainKey("name");
    }

    @Test
    void saysWhichRunOfTheJobItWas() {
        assertThat(document(Optional.empty(), new Cause.Success()))
                .containsEntry("attempt", 3L)
                .containsEntry("platformRestarts", "SLURM_RESTART_COUNT=2");
    }

    @Test
    void saysWhoProducedTheExitCode() {
        assertThat(source(new Cause.Success())).isEqualTo("all tasks");
        assertThat(source(new Cause.Decided(75, "ps 1 is lost"))).isEqualTo("outcome");
        assertThat(source(new Cause.Interrupted(new ReceivedSignal("TERM", 15))))
                .isEqualTo("SIGTERM");
    }

    @Test
    void saysWhetherTheJobWasStoppedFromOutside() {
        Cause begun = new Cause.StoppedFromOutside(chief(), 7, Termination.signalled(15), Optional.empty());

        assertThat(source(begun)).isEqualTo("chief-0");
        assertThat(document(Optional.empty(), begun)).containsEntry("stopped", true);
        assertThat(document(Optional.empty(), new Cause.Interrupted(new ReceivedSignal("TERM", 15))))
                .containsEntry("stopped", true);
        assertThat(document(
                        Optional.empty(),
                        new Cause.ProcessFailed(chief(), 7, Termination.signalled(15), Optional.empty())))
                .containsEntry("stopped", false);
        assertThat(document(Optional.empty(), new Cause.Success())).containsEntry("stopped", false);
    }

    private static ProcessSpec chief() {
        return ProcessSpec.task(
                "chief-0", new Launch(List.of(Value.of("train")), EnvironmentChange.NONE, "/", "chief.log"));
    }

    private static Object source(Cause cause) {
        return document(Optional.empty(), cause).getOrDefault("exitCodeFrom", "nobody");
    }

    @Test
    void theLeadersResultHasTheWholeJobOnOneClock() {
        JobEnd origin = new JobEnd(
                JobEnd.Kind.FAILED,
                "node-1",
                Optional.of("gpu2"),
                3,
                OptionalInt.empty(),
                "rank 4 (pid 71) ended with exit code 3 after 0.2 s",
                Optional.of("rank-4"),
                OptionalInt.of(4),
                OptionalLong.of(71),
                Optional.of("/logs/rank-4.txt"),
                OptionalLong.empty());
        LinkReport.ProcessEnd process = new LinkReport.ProcessEnd(
                new LocalEvent.Started("rank-4", 71, OptionalInt.of(4), Optional.of("/logs/rank-4.txt"), 0),
                1_000_000_000L,
                Optional.of(new LocalEvent.Ended(
                        "rank-4",
                        3,
                        OptionalInt.empty(),
                        "exit code 3",
                        false,
                        0,
                        OptionalLong.of(1 << 20),
                        OptionalLong.empty(),
                        OptionalLong.empty())),
                OptionalLong.of(3_000_000_000L));
        LinkReport launchers = new LinkReport(List.of(
                new LinkReport.NodeEnd(
                        "node-0", Optional.of("gpu1"), "running", OptionalInt.empty(), Optional.empty(), List.of()),
                new LinkReport.NodeEnd(
                        "node-1",
                        Optional.of("gpu2"),
                        "left",
                        OptionalInt.of(3),
                        Optional.of(origin),
                        List.of(process))));
        JobReport job = new JobReport(Optional.of("node-0"), Optional.of(origin), launchers, 5_000_000_000L);

        Map<String, Object> document = document(new Verdict(
                Optional.empty(), new Cause.Elsewhere(origin), List.of(), Duration.ZERO, Duration.ZERO, job));

        assertThat(document).containsEntry("exitCodeFrom", "rank-4@node-1").containsEntry("stopped", false);
        assertThat(String.valueOf(document.get("origin")))
                .isEqualTo("{launcher=node-1, host=gpu2, process=rank-4, rank=4, pid=71, log=/logs/rank-4.txt}");
        assertThat(String.valueOf(document.get("job")))
                .isEqualTo("{exitCode=3, exitCodeFrom=rank-4@node-1, reason=node 1 (gpu2): rank 4 (pid 71) ended with"
                        + " exit code 3 after 0.2 s; its log is /logs/rank-4.txt on that node}");
        assertThat(String.valueOf(document.get("nodes")))
                .contains("launcher=node-0, host=gpu1, state=left, processes=[], exitCode=0")
                .contains("launcher=node-1, host=gpu2, state=left, exitCode=3")
                .contains(
                        "processes=[{id=rank-4, pid=71, rank=4, log=/logs/rank-4.txt, exitCode=3, ended=exit code 3, stoppedByMuster=false, peakMemoryBytes=1048576, startedAt="
                                + END.minusSeconds(4))
                .contains("endedAt=" + END.minusSeconds(2));
    }

    @Test
    void aStopElsewhereIsAStop() {
        JobEnd stop = new JobEnd(
                JobEnd.Kind.STOPPED,
                "ps-0",
                Optional.empty(),
                143,
                OptionalInt.of(15),
                "stopped by SIGTERM after 1.0 s",
                Optional.empty(),
                OptionalInt.empty(),
                OptionalLong.empty(),
                Optional.empty(),
                OptionalLong.empty());

        assertThat(document(Optional.empty(), new Cause.Elsewhere(stop)))
                .containsEntry("exitCodeFrom", "SIGTERM@ps-0")
                .containsEntry("stopped", true);
    }

    private static Map<String, Object> document(Optional<String> planName, Cause cause) {
        return document(new Verdict(planName, cause, List.of(), Duration.ZERO, Duration.ofSeconds(3), JobReport.NONE));
    }

    private static Map<String, Object> document(Verdict verdict) {
        NodeRun run = new NodeRun(
                "job",
                "tensorflow-ps",
                "none",
                "no variable of a platform is set",
                verdict.planName(),
                "0",
                OptionalInt.of(0),
                OptionalInt.of(1),
                Path.of("/logs"),
                Optional.of("SLURM_RESTART_COUNT=2"),
                Instant.EPOCH);
        return ResultDocument.of(run, 3, verdict, 0, Map.of(), END, List.of());
    }
}
