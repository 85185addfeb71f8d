package dev.muster.runtime.supervise;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.spi.EnvironmentChange;
import dev.muster.spi.Launch;
import dev.muster.spi.LaunchPlan;
import dev.muster.spi.Outcome;
import dev.muster.spi.ProcessSpec;
import dev.muster.spi.Value;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class OwnNamesTest {

    @Test
    @DisplayName("11.1 the run's id stands before the ending of a name")
    void theIdStandsBeforeTheEnding() {
        assertThat(OwnNames.of("job-rank-0.txt", "abc")).isEqualTo("job-rank-0-abc.txt");
        assertThat(OwnNames.of("job-1.2.txt", "abc")).isEqualTo("job-1.2-abc.txt");
        assertThat(OwnNames.of("job", "abc")).isEqualTo("job-abc");
        assertThat(OwnNames.of(".job", "abc")).isEqualTo(".job-abc");
        assertThat(OwnNames.of("j".repeat(230) + "-proc-rank-0-device-0.txt", "k3x9f2"))
                .isEqualTo("j".repeat(223) + "-proc-rank-0-device-0-k3x9f2.txt");
        RunIdentity drawn = RunIdentity.draw("job", "node-0", 12, "host", Instant.EPOCH);
        assertThat(drawn.run()).matches("[0-9a-z]{6}");
        assertThat(drawn.describe()).isEqualTo("run " + drawn.run() + " (pid 12 on host, since 1970-01-01T00:00:00Z)");
    }

    @Test
    @DisplayName("11.1 whoever reads a log of the plan is told its own name")
    void commandsAreToldTheNewNames() {
        EnvironmentChange environment =
                EnvironmentChange.of(Map.of("LOG", Value.of("/logs/job-mpirun.txt")), List.of("X"));
        Launch launch = new Launch(
                List.of(Value.of("sh"), Value.of("/logs/job-mpirun.txt"), Value.of("/logs/other.txt")),
                environment,
                "/work",
                "job-mpirun.txt");
        LaunchPlan plan = LaunchPlan.builder(Outcome.ALL_TASKS)
                .process(ProcessSpec.task("mpirun", launch))
                .build();

        LaunchPlan named = OwnNames.in(plan, Path.of("/logs"), "abc");

        Launch own = named.processes().get(0).launch();
        assertThat(own.logFile()).isEqualTo("job-mpirun-abc.txt");
        assertThat(own.command())
                .containsExactly(Value.of("sh"), Value.of("/logs/job-mpirun-abc.txt"), Value.of("/logs/other.txt"));
        assertThat(own.environment().set()).containsEntry("LOG", Value.of("/logs/job-mpirun-abc.txt"));
        assertThat(own.environment().remove()).containsExactly("X");
    }
}
