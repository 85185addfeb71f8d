package dev.muster.engine.pytorch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.spi.LaunchPlan;
import dev.muster.spi.Outcome;
import dev.muster.spi.PlanException.Kind;
import dev.muster.spi.ProcessSpec;
import dev.muster.spi.RankInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PerNodeTest {

    private static TestJob twoNodes(int index) {
        return new TestJob().node(index, 2).hosts("first.job", "second.job").onModelArts();
    }

    @Test
    void aNodeIsOneRankHoweverManyCardsItHas() {
        LaunchPlan plan = twoNodes(1).cards(8).plan();

        assertThat(plan.outcome()).isEqualTo(Outcome.ALL_TASKS);
        assertThat(TestJob.tasks(plan)).singleElement().satisfies(task -> {
            assertThat(task.id()).isEqualTo("rank-1");
            assertThat(task.placement()).contains(new RankInfo(1, 0, 2));
            assertThat(task.launch().logFile()).isEqualTo("job-7-proc-rank-1.txt");
        });
    }

    @Test
    void variablesOfOtherLaunchersAreRemoved() {
        ProcessSpec process = twoNodes(0)
                .variable("MASTER_ADDR", "elsewhere")
                .variable("RANK", "0")
                .variable("WORLD_SIZE", "16")
                .variable("LOCAL_RANK", "0,1")
                .variable("TF_CONFIG", "{}")
                .variable("PET_NNODES", "2")
                .variable("TORCHELASTIC_USE_AGENT_STORE", "True")
                .variable("PETS", "cats")
                .variable("ROLE_ARN", "mine")
                .plan()
                .processes()
                .get(0);

        assertThat(process.launch().environment().remove())
                .containsExactly(
                        "LOCAL_RANK",
                        "MASTER_ADDR",
                        "PET_NNODES",
                        "RANK",
                        "TF_CONFIG",
                        "TORCHELASTIC_USE_AGENT_STORE",
                        "WORLD_SIZE");
        assertThat(process.launch().environment().set()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"--rank_offset", "--world-size", "--init-method=x", "-rank", "rank", "x--rank"})
    void anArgumentOfAnotherNameIsTheUsersOwn(String argument) {
        assertThat(twoNodes(0).command("python3", "train.py", argument).words())
                .startsWith("python3", "train.py", argument, "--init_method");
    }

    @Test
    void oneNodeMayHaveItsOwnRankAndWorldSize() {
        assertThat(new TestJob()
                        .processes("per-node")
                        .command("python3", "t.py", "--rank=0", "--world_size", "1")
                        .words())
                .containsExactly(
                        "python3",
                        "t.py",
                        "--rank=0",
                        "--world_size",
                        "1",
                        "--init_method",
                        "tcp://127.0.0.1:<rendezvous>");
    }

    @Test
    void aPlainProcessGetsNothing() {
        LaunchPlan plan =
                twoNodes(1).processes("plain").command("t", "--rank=0").plan();

        assertThat(TestJob.words(plan)).containsExactly("t", "--rank=0");
        assertThat(plan.processes().get(0).placement()).contains(new RankInfo(1, 0, 2));
    }

    @Test
    void ofALongArgumentTheMessageHasTheBeginning() {
        new TestJob()
                .processes("per-node")
                .command("t", "--init_method=" + "x".repeat(80))
                .assertRefused(
                        Kind.USAGE,
                        "the command has \"--init_method=" + "x".repeat(66)
                                + "...\", but --init_method is appended to it, as the platform's contract says. "
                                + "Take it out, or give -o processes=plain and nothing is appended");
    }
}
