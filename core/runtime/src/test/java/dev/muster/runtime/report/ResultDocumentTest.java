package dev.muster.runtime.report;

import static org.assertj.core.api.Assertions.assertThat;

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
                .containsEntry("run", 3L)
                .containsEntry("platformRun", "SLURM_RESTART_COUNT=2");
    }

    @Test
    void saysWhoProducedTheExitCode() {
        assertThat(source(new Cause.Success())).isEqualTo("all tasks");
        assertThat(source(new Cause.Success(Optional.of(chief())))).isEqualTo("chief-0");
        assertThat(source(new Cause.Decided(75, "ps 1 is lost"))).isEqualTo("outcome");
        assertThat(source(new Cause.Interrupted("TERM", 15))).isEqualTo("SIGTERM");
    }

    @Test
    void saysWhetherTheJobWasStoppedFromOutside() {
        Cause begun = new Cause.StoppedFromOutside(chief(), 7, Termination.signalled(15), Optional.empty());

        assertThat(source(begun)).isEqualTo("chief-0");
        assertThat(document(Optional.empty(), begun)).containsEntry("stopped", true);
        assertThat(document(Optional.empty(), new Cause.Interrupted("TERM", 15)))
                .containsEntry("stopped", true);
        assertThat(document(Optional.empty(), new Cause.ProcessFailed(chief(), 7, Termination.signalled(15))))
                .containsEntry("stopped", false);
        assertThat(document(Optional.empty(), new Cause.Success())).containsEntry("stopped", false);
    }

    private static ProcessSpec chief() {
        return ProcessSpec.task(
                        "chief-0", new Launch(List.of(Value.of("train")), EnvironmentChange.NONE, "/", "chief.log"))
                .build();
    }

    private static Object source(Cause cause) {
        return document(Optional.empty(), cause).getOrDefault("exitCodeFrom", "nobody");
    }

    private static Map<String, Object> document(Optional<String> planName, Cause cause) {
        NodeRun run = new NodeRun(
                "job",
                "tensorflow-ps",
                "none",
                "no variable of a platform is set",
                planName,
                "0",
                OptionalInt.of(0),
                OptionalInt.of(1),
                Path.of("/logs"),
                Optional.of("SLURM_RESTART_COUNT=2"),
                Instant.EPOCH);
        Verdict verdict = new Verdict(planName, cause, List.of(), Duration.ZERO, Duration.ofSeconds(3));
        return ResultDocument.of(run, 3, verdict, 0, Map.of(), END);
    }
}
