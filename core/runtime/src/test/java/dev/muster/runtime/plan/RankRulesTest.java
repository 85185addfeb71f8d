package dev.muster.runtime.plan;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.runtime.errors.ExitCode;
import dev.muster.runtime.errors.MusterException;
import dev.muster.spi.EngineDescriptor;
import dev.muster.spi.EnvironmentChange;
import dev.muster.spi.InputValue;
import dev.muster.spi.Launch;
import dev.muster.spi.LaunchPlan;
import dev.muster.spi.Note;
import dev.muster.spi.Outcome;
import dev.muster.spi.ProcessSpec;
import dev.muster.spi.RankInfo;
import dev.muster.spi.Value;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RankRulesTest {

    private static final EngineDescriptor ENGINE =
            EngineDescriptor.of("x", "for tests").withVariables("RANK", "PET_*");

    private static final List<InputValue> NO_INPUTS = List.of();

    @Test
    void whatTheRulesSayIsAccepted() {
        LaunchPlan plan = plan(task(4, 0, 8, "RANK"), task(5, 1, 8, "PET_X"));

        assertThatCode(() -> PlanValidator.validateRanks(ENGINE, false, NO_INPUTS, plan))
                .doesNotThrowAnyException();
        assertThatCode(() -> PlanValidator.validateRanks(
                        ENGINE,
                        true,
                        NO_INPUTS,
                        LaunchPlan.builder(Outcome.ALL_TASKS).build()))
                .doesNotThrowAnyException();
    }

    /** Otherwise each node trains alone, with a world of its own. An engine with roles may do so: the other nodes may be ps. */
    @Test
    void noNodeOfSeveralHasAllRanks() {
        LaunchPlan plan = plan(task(0, 0, 1, "RANK")).toBuilder().over(5).build();

        assertRefused(
                false,
                plan,
                "it says that the job runs over 5 nodes, but the world size is 1, and this node alone has as many ranks"
                        + " (rule R3)");
        EngineDescriptor withRoles =
                EngineDescriptor.of("x", "for tests").withVariables("RANK").withRoles(List.of("ps", "worker"));
        assertThatCode(() -> PlanValidator.validateRanks(withRoles, false, NO_INPUTS, plan))
                .doesNotThrowAnyException();
        LaunchPlan told =
                plan.toBuilder().note(Note.warning("each node is on its own")).build();
        assertThatCode(() -> PlanValidator.validateRanks(ENGINE, false, NO_INPUTS, told))
                .doesNotThrowAnyException();
        LaunchPlan one = plan.toBuilder().over(1).build();
        assertThatCode(() -> PlanValidator.validateRanks(ENGINE, true, NO_INPUTS, one))
                .doesNotThrowAnyException();
    }

    @Test
    void variablesAreTheEngines() {
        assertRefused(
                false,
                plan(task(0, 0, 1, "PATH"), task(1, 1, 2, "RANK")),
                "process \"task-0\" changes PATH, which the engine does not say it owns (rule R4)");
    }

    @Test
    void whatAScriptHasChangedIsTheScripts() {
        LaunchPlan plan = plan(task(0, 0, 1, "PATH"));
        List<InputValue> inputs = List.of(
                new InputValue.CommandOutput(0, "0-3\0\0HOME=/PATH=\0PATH=/toolkit/bin\0\0"),
                new InputValue.CommandOutput(0, "GONE\0"));

        assertThatCode(() -> PlanValidator.validateRanks(ENGINE, false, inputs, plan))
                .doesNotThrowAnyException();
        assertThatCode(() -> PlanValidator.validateRanks(ENGINE, false, inputs, plan(task(0, 0, 1, "GONE"))))
                .doesNotThrowAnyException();
        assertThatThrownBy(() -> PlanValidator.validateRanks(ENGINE, false, inputs, plan(task(0, 0, 1, "BIN"))))
                .hasMessageContaining("BIN");
    }

    private static void assertRefused(boolean isAlone, LaunchPlan plan, String problem) {
        assertThatThrownBy(() -> PlanValidator.validateRanks(ENGINE, isAlone, NO_INPUTS, plan))
                .hasMessageContaining(problem)
                .extracting(refused -> ((MusterException) refused).exitCode())
                .isEqualTo(ExitCode.INTERNAL);
    }

    private static LaunchPlan plan(ProcessSpec... tasks) {
        return LaunchPlan.builder(Outcome.ALL_TASKS).processes(List.of(tasks)).build();
    }

    private static ProcessSpec task(int rank, int local, int worldSize, String variable) {
        Launch launch = new Launch(
                Launch.literally(List.of("train")),
                EnvironmentChange.of(Map.of(variable, Value.of("x")), List.of()),
                "/jobs",
                rank + ".txt");
        return ProcessSpec.task("task-" + rank, launch).withPlacement(new RankInfo(rank, local, worldSize));
    }
}
