package dev.muster.runtime.launch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.runtime.runs.RunCount;
import dev.muster.spi.EnvironmentChange;
import dev.muster.spi.Launch;
import dev.muster.spi.LaunchPlan;
import dev.muster.spi.Outcome;
import dev.muster.spi.ProcessSpec;
import dev.muster.spi.Value;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class ProcessEnvironmentsTest {

    private static final String COUNT = "TORCHELASTIC_RESTART_COUNT";
    private static final String LIMIT = "TORCHELASTIC_MAX_RESTARTS";

    @DisplayName("the plan shows the restart variables of its processes if the job may have several attempts")
    @Test
    void thePlanShowsWhatIsTold() {
        LaunchPlan plan = LaunchPlan.builder(Outcome.ALL_TASKS)
                .process(ProcessSpec.task("plain", launch(Map.of(), Set.of())))
                .process(ProcessSpec.task("removing", launch(Map.of(), Set.of(COUNT, LIMIT))))
                .process(ProcessSpec.task("setting", launch(Map.of(COUNT, Value.of("9")), Set.of())))
                .process(ProcessSpec.service("ps", launch(Map.of(), Set.of())))
                .process(ProcessSpec.hook(
                        "step", launch(Map.of(), Set.of()), ProcessSpec.Phase.PROLOG, Duration.ofSeconds(1)))
                .build();

        LaunchPlan shown = shown(plan, 3);

        assertThat(set(shown, "plain")).isEqualTo(told("1", "0", "3"));
        assertThat(set(shown, "ps")).isEqualTo(told("1", "0", "3"));
        assertThat(set(shown, "setting")).isEqualTo(told("1", "9", "3"));
        assertThat(set(shown, "removing")).isEqualTo(Map.of("MUSTER_RUN", Value.of("1")));
        assertThat(set(shown, "step")).isEmpty();
        assertThat(shown(plan, 0)).isEqualTo(plan);
    }

    private static LaunchPlan shown(LaunchPlan plan, int restarts) {
        return ProcessEnvironments.with(plan, RunCount.first(restarts).variables());
    }

    private static Map<String, Value> told(String run, String count, String limit) {
        return Map.of("MUSTER_RUN", Value.of(run), COUNT, Value.of(count), LIMIT, Value.of(limit));
    }

    private static Map<String, Value> set(LaunchPlan plan, String id) {
        return plan.processes().stream()
                .filter(process -> process.id().equals(id))
                .findFirst()
                .orElseThrow()
                .launch()
                .environment()
                .set();
    }

    private static Launch launch(Map<String, Value> set, Set<String> remove) {
        return new Launch(Launch.literally(List.of("true")), EnvironmentChange.of(set, remove), "/", "log.txt");
    }
}
