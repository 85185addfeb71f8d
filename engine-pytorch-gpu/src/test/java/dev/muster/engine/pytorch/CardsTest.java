package dev.muster.engine.pytorch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.spi.InputValue;
import dev.muster.spi.LaunchPlan;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
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
    void aNumberOfCardsWinsOverWhatIsThere() {
        LaunchPlan plan = job().cards(3)
                .variable("CUDA_VISIBLE_DEVICES", "0")
                .deviceFiles("nvidia0")
                .plan();

        assertThat(plan.processes()).hasSize(3);
        assertThat(TestJob.variable(plan, "CUDA_VISIBLE_DEVICES")).isEqualTo("(not set)");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "0|1",
                "0,1,2|3",
                " 3 , 1 |2",
                "GPU-8932f937-d72c,GPU-1|2",
                "MIG-GPU-8932/1/0|1",
                "0,-1,1|1",
                "-1|1",
                "\"\"|1",
                "NoDevFiles|1"
            })
    void visibleCardsCount(String visible, int ranks) {
        TestJob job = job().variable("CUDA_VISIBLE_DEVICES", visible).deviceFiles("nvidia0", "nvidia1");

        assertThat(job.plan().processes()).hasSize(ranks);
    }

    @Test
    void whereNothingIsVisibleThereIsOneRankOnTheCpu() {
        assertThat(TestJob.notes(job().variable("CUDA_VISIBLE_DEVICES", "-1").plan()))
                .containsExactly("one rank per card: 1 rank on this node (no card: CUDA_VISIBLE_DEVICES)");
    }

    @Test
    void deviceFilesOfCardsCount() {
        LaunchPlan plan = job().deviceFiles("nvidia-uvm", "nvidia0", "nvidia1", "nvidia10", "nvidiactl", "nvidia1x")
                .plan();

        assertThat(plan.processes()).hasSize(3);
        assertThat(TestJob.notes(plan)).containsExactly("one rank per card: 3 ranks on this node (/dev/nvidia*)");
    }

    @Test
    void withoutAnyCardThereIsOneRank() {
        assertThat(job().plan().processes()).hasSize(1);
        assertThat(job().deviceFiles("nvidiactl").plan().processes()).hasSize(1);
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
