package dev.muster.engine.pytorch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.spi.InputValue;
import dev.muster.spi.LaunchPlan;
import dev.muster.spi.PlanException.Kind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Elastic jobs: only torchrun finds out which nodes there are. */
class ElasticTest {

    private static final String OLD_ON_NEW = "torchrun broken\n";
    private static final String NEW = "torchrun sound\n";

    private static TestJob job(String torch) {
        return new TestJob().elastic().input("torch of the interpreter", new InputValue.CommandOutput(0, torch));
    }

    @Test
    void thereIsNobodyElseWhoStartsItsRanksAgain() {
        job(NEW).run(1, 2)
                .assertRefused(
                        Kind.CONFIGURATION,
                        "--restarts 2, but PET_RDZV_ENDPOINT=\"job-worker-0:23456\" says that the job is elastic:"
                                + " torchrun itself starts its ranks again. Leave --restarts out; PET_MAX_RESTARTS tells torchrun"
                                + " how often");
    }

    @Test
    void torchrunGetsWhatThePlatformTellsItAndNothingElse() {
        LaunchPlan plan = job(NEW).variable("RANK", "1")
                .variable("MASTER_ADDR", "x")
                .variable("TORCHELASTIC_RUN_ID", "theirs")
                .plan();

        assertThat(TestJob.words(plan))
                .containsExactly(
                        "python3",
                        "-m",
                        "torch.distributed.run",
                        "--no_python",
                        "<muster>",
                        "--rank-of-host",
                        "--",
                        "python3",
                        "a b.py",
                        "--lr=0.1");
        assertThat(plan.processes().get(0).launch().environment().set()).isEmpty();
        assertThat(plan.processes().get(0).launch().environment().remove())
                .containsExactly("MASTER_ADDR", "RANK", "TORCHELASTIC_RUN_ID");
        assertThat(plan.ports()).isEmpty();
        assertThat(plan.nodes()).hasValue(3);
        assertThat(TestJob.warnings(plan)).isEmpty();
        assertThat(TestJob.notes(plan))
                .containsExactly("an elastic job: torchrun finds out how many nodes there are (1:3), at "
                        + "PET_RDZV_ENDPOINT=\"job-worker-0:23456\"; it starts the ranks again when nodes come or go, "
                        + "and after failures as often as PET_MAX_RESTARTS says");
    }

    @Test
    void whoeverSaysHowManyCardsThereAreIsHeard() {
        assertThat(job(NEW).cards(4).words()).containsSubsequence("--nproc_per_node", "4", "--no_python");
        LaunchPlan chosen = job(NEW).cardIds(2, 5).plan();
        assertThat(TestJob.words(chosen)).containsSubsequence("--nproc_per_node", "2");
        assertThat(TestJob.variable(chosen, "CUDA_VISIBLE_DEVICES")).isEqualTo("2,5");
    }

    @Test
    void anOldTorchrunOnANewPythonGetsTheVariablesThatHelp() {
        assertThat(TestJob.variable(job(OLD_ON_NEW).plan(), "PET_TEE")).isEqualTo("4096:1");
        assertThat(TestJob.variable(job(OLD_ON_NEW).cards(2).plan(), "PET_REDIRECTS"))
                .isEqualTo("2:1");
    }

    @Test
    void filesOfANodeAreCalledByItsIndexOrItsHost() {
        LaunchPlan known = job(NEW).index(2).plan();
        assertThat(known.name()).isEmpty();
        assertThat(known.processes().get(0).launch().logFile()).isEqualTo("job-7-torchrun-node-2.txt");

        LaunchPlan unknown = job(NEW).plan();
        assertThat(unknown.name()).hasValue("box");
        assertThat(unknown.processes().get(0).launch().logFile()).isEqualTo("job-7-torchrun-box.txt");
    }

    @ParameterizedTest
    @ValueSource(strings = {"per-node", "per-card"})
    void otherWaysToStartRanksAreRefused(String processes) {
        job(NEW).processes(processes)
                .assertRefused(
                        Kind.CONFIGURATION,
                        "--processes=\"" + processes + "\", but PET_RDZV_ENDPOINT=\"job-worker-0:23456\" says that the "
                                + "job is elastic: only torchrun finds out how many nodes there are. "
                                + "Leave it out, or give --nodes N and --node-index I");
    }

    @Test
    void whoeverSaysHowManyNodesThereAreGetsThat() {
        assertThat(job(NEW).node(1, 2).hosts("a", "b").words())
                .containsSubsequence("--nnodes", "2", "--node_rank", "1", "--master_addr", "a");
    }
}
