package dev.muster.engine.pytorch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.spi.InputValue;
import dev.muster.spi.LaunchPlan;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CardsTest {

    private static TestJob job() {
        return new TestJob().processes("per-card");
    }

    @Test
    void chosenIdsAreAllThatEveryRankSees() {
        LaunchPlan plan =
                job().cardIds(5, 2).variable("CUDA_VISIBLE_DEVICES", "0,1,2,3").plan();

        assertThat(plan.processes()).hasSize(2);
        for (int rank = 0; rank < 2; rank++) {
            assertThat(TestJob.variable(plan, rank, "CUDA_VISIBLE_DEVICES")).isEqualTo("5,2");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"per-node", "torchrun"})
    void chosenIdsAreAllThatTheProcessesOfTheOtherModesSee(String mode) {
        LaunchPlan plan = new TestJob()
                .processes(mode)
                .cardIds(3)
                .input("torchrun", new InputValue.Program("/bin/torchrun"))
                .plan();

        assertThat(TestJob.variable(plan, "CUDA_VISIBLE_DEVICES")).isEqualTo("3");
    }

    @Test
    void withoutAChoiceEachUsableCardHasARank() {
        LaunchPlan visible =
                job().usable("CUDA_VISIBLE_DEVICES", "GPU-8932f937", "3").plan();
        LaunchPlan none = job().usable("CUDA_VISIBLE_DEVICES").plan();

        assertThat(visible.processes()).hasSize(2);
        assertThat(TestJob.variable(visible, "CUDA_VISIBLE_DEVICES")).isEqualTo("(not set)");
        assertThat(TestJob.notes(none))
                .containsExactly("one rank per card: 1 rank on this node (no card: CUDA_VISIBLE_DEVICES)");
    }

    @Test
    void anEmptyNumberOfThreadsCountsAsNone() {
        LaunchPlan plan =
                job().cores(4).cards(2).variable("OMP_NUM_THREADS", "").plan();

        assertThat(TestJob.variable(plan, "OMP_NUM_THREADS")).isEqualTo("2");
    }

    @Test
    void theUsersNumberOfThreadsHolds() {
        assertThat(TestJob.variable(job().variable("OMP_NUM_THREADS", "9").plan(), "OMP_NUM_THREADS"))
                .isEqualTo("(not set)");
    }
}
