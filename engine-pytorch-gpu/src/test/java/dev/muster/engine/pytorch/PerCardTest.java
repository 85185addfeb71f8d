package dev.muster.engine.pytorch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.muster.spi.LaunchPlan;
import dev.muster.spi.ProcessSpec;
import dev.muster.spi.RankInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PerCardTest {

    private static TestJob job() {
        return new TestJob().processes("per-card").cards(2);
    }

    private static TestJob secondOfThree() {
        return job().node(1, 3).hosts("first", "second", "third").option("master-port", "7000");
    }

    @Test
    void theCommandStaysAsItIs() {
        assertThat(job().command("python3", "t.py", "--rank", "x", "").words())
                .containsExactly("python3", "t.py", "--rank", "x", "");
    }

    @Test
    void ranksAreCountedOverAllNodesAndHaveALogEach() {
        assertThat(TestJob.tasks(secondOfThree().plan()))
                .extracting(
                        ProcessSpec.Task::id,
                        task -> task.placement().orElseThrow(),
                        task -> task.launch().logFile())
                .containsExactly(
                        tuple("rank-2", new RankInfo(2, 0, 6), "job-7-proc-rank-2-device-0.txt"),
                        tuple("rank-3", new RankInfo(3, 1, 6), "job-7-proc-rank-3-device-1.txt"));
    }

    @Test
    void allRanksOfAnOnlyNodeMeetAtTheSameDrawnPort() {
        LaunchPlan plan = job().plan();

        for (int rank = 0; rank < 2; rank++) {
            assertThat(TestJob.variable(plan, rank, "MASTER_ADDR")).isEqualTo("127.0.0.1");
            assertThat(TestJob.variable(plan, rank, "MASTER_PORT")).isEqualTo("<rendezvous>");
        }
        assertThat(plan.ports()).isEmpty();
    }

    @Test
    void whatAnotherLauncherLeftIsOverriddenOrRemoved() {
        LaunchPlan plan = job().variable("RANK", "7")
                .variable("WORLD_SIZE", "8")
                .variable("TORCHELASTIC_USE_AGENT_STORE", "True")
                .variable("TORCHELASTIC_RUN_ID", "theirs")
                .variable("PET_NPROC_PER_NODE", "4")
                .plan();

        assertThat(plan.processes().get(0).launch().environment().remove())
                .containsExactly("PET_NPROC_PER_NODE", "TORCHELASTIC_USE_AGENT_STORE");
        assertThat(TestJob.variable(plan, "RANK")).isEqualTo("0");
        assertThat(TestJob.variable(plan, "WORLD_SIZE")).isEqualTo("2");
        assertThat(TestJob.variable(plan, "TORCHELASTIC_RUN_ID")).isEqualTo("job-7");
    }

    @Test
    void whatTheUserSaysOfNcclErrorsHolds() {
        for (String name : new String[] {"NCCL_ASYNC_ERROR_HANDLING", "TORCH_NCCL_ASYNC_ERROR_HANDLING"}) {
            LaunchPlan plan = job().variable(name, "0").plan();

            assertThat(TestJob.variable(plan, "NCCL_ASYNC_ERROR_HANDLING")).isEqualTo("(not set)");
            assertThat(TestJob.variable(plan, "TORCH_NCCL_ASYNC_ERROR_HANDLING"))
                    .isEqualTo("(not set)");
        }
    }

    @Test
    void saysWhereTheNumberOfRanksComesFrom() {
        assertThat(TestJob.notes(job().plan())).containsExactly("one rank per card: 2 ranks on this node (--cards)");
    }

    @ParameterizedTest
    @ValueSource(strings = {"--world_size 2", "--world-size=2"})
    void aWorldSizeThatNobodyStartsIsTold(String argument) {
        TestJob job = new TestJob().command(("t.py " + argument).split(" "));

        assertThat(TestJob.warnings(job.plan())).singleElement().asString().contains(argument, "1 rank", "--nodes N");
        assertThat(TestJob.warnings(job.cards(2).plan())).isEmpty();
        assertThat(TestJob.warnings(job.node(0, 1).cards(1).plan())).isEmpty();
    }
}
