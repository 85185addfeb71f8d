package dev.muster.runtime.platform;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SignsTest {

    @ParameterizedTest
    @CsvSource({
        "SLURM_NNODES, 3",
        "SLURM_JOB_NUM_NODES, 2",
        "SLURM_NODEID, 1",
        "PET_NNODES, 2",
        "PET_NNODES, 1:3",
        "PET_NODE_RANK, 1",
        "PET_RDZV_ENDPOINT, a:1",
        "DLWS_NUM_WORKER, 2",
        "MS_WORKER_NUM, 16",
        "CM_WORKER_SIZE, 16",
        "NUM_PROCESSES, 2",
        "AWS_BATCH_JOB_NUM_NODES, 2",
        "PBS_NUM_NODES, 4",
        "MA_NUM_HOSTS, 2",
        "MPI_HOST, b",
        "JOB_COMPLETION_INDEX, 0",
        "K_MPI_JOB_ROLE, launcher",
        "VC_A_NUM, 2",
        "VC_TASK_INDEX, 0"
    })
    void whatSpeaksOfOthersIsHeardWhereNoReaderFollowsIt(String variable, String value) {
        assertThat(TestSites.alone(Map.of(variable, value)).unheard()).anySatisfy(claim -> {
            assertThat(claim.text()).contains(variable);
            assertThat(claim.contradicts(1)).isTrue();
        });
    }

    @Test
    void aWorldSizeAloneMayBeALeftover() {
        assertThat(TestSites.alone(Map.of("WORLD_SIZE", "8", "RANK", "1")).unheard())
                .singleElement()
                .satisfies(claim -> {
                    assertThat(claim.contradicts(1)).isFalse();
                    assertThat(claim.isDoubtOf(1)).isTrue();
                });
        assertThat(TestSites.alone(Map.of("WORLD_SIZE", "8")).unheard()).isEmpty();
        Map<String, String> plan = Map.of("WORLD_SIZE", "8", "RANK", "1", "MASTER_ADDR", "a");
        assertThat(TestSites.alone(plan).unheard())
                .singleElement()
                .extracting(Claim::text)
                .asString()
                .contains("WORLD_SIZE=8");
    }

    @Test
    void torchrunsNumberOfProcessesComesWithThatOfNodes() {
        assertThat(TestSites.alone(Map.of("PET_NPROC_PER_NODE", "auto")).unheard())
                .singleElement()
                .matches(claim -> claim.isDoubtOf(1) && !claim.contradicts(1));
        assertThat(TestSites.alone(Map.of("PET_NPROC_PER_NODE", "8", "PET_NNODES", "1"))
                        .unheard())
                .isEmpty();
    }

    @Test
    void whatALauncherGivesItsRanksIsNoSignForARank() {
        for (String mark : new String[] {"MUSTER_JOB", "TORCHELASTIC_RUN_ID", "OMPI_COMM_WORLD_RANK"}) {
            assertThat(TestSites.alone(Map.of("WORLD_SIZE", "8", "RANK", "1", "MASTER_ADDR", "a", mark, "1"))
                            .unheard())
                    .isEmpty();
            assertThat(TestSites.alone(Map.of("SLURM_NNODES", "3", mark, "1")).unheard())
                    .hasSize(1);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "\"Cluster\":{\"worker\":[\"a:1\",\"b:1\"]},"})
    void aTaskOfTensorFlowHasOthersThoughNoClusterNamesThem(String before) {
        String config = "{" + before + "\"task\":{\"type\":\"worker\",\"index\":INDEX}}";

        assertThat(TestSites.alone(Map.of("TF_CONFIG", config.replace("INDEX", "1")))
                        .unheard())
                .singleElement()
                .matches(claim -> claim.contradicts(1) && claim.text().contains("TF_CONFIG"));
        assertThat(TestSites.alone(Map.of("TF_CONFIG", config.replace("INDEX", "0")))
                        .unheard())
                .singleElement()
                .matches(claim -> claim.isDoubtOf(1) && !claim.contradicts(1));
        assertThat(TestSites.alone(Map.of("TF_CONFIG", "{\"model_dir\":\"/m\"}"))
                        .unheard())
                .isEmpty();
    }

    @Test
    void tensorFlowsClusterIsCounted() {
        assertThat(TestSites.alone(Map.of("TF_CONFIG", "{\"cluster\":{\"worker\":[\"a:1\",\"b:1\"]}}"))
                        .unheard())
                .hasSize(1);
        assertThat(TestSites.alone(Map.of("TF_CONFIG", "{\"cluster\":{\"worker\":{\"1\":\"a:1\"},\"ps\":[\"b:1\"]}}"))
                        .unheard())
                .hasSize(1);
        assertThat(TestSites.alone(Map.of("TF_CONFIG", "{\"cluster\":{\"worker\":[\"a:1\"]}}"))
                        .unheard())
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "1", "0"})
    void oneNodeIsNoSign(String number) {
        assertThat(TestSites.alone(Map.of("SLURM_NNODES", number, "PET_NNODES", number))
                        .unheard())
                .isEmpty();
    }

    @Test
    void whoeverSaysWhatHeMeansIsNotContradicted() {
        Map<String, String> variables = Map.of("SLURM_NNODES", "3");

        assertThat(TestSites.alone(variables, "nodes", "1").unheard()).isEmpty();
        assertThat(TestSites.alone(variables, "platform", "none").unheard()).isEmpty();
        assertThat(TestSites.alone(variables, "platform", "auto").unheard()).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"x", "-3", "3\n4", "$(id)", "99999999999999999999"})
    void whatCannotBeANumberIsRefusedWithItsVariable(String value) {
        assertThatThrownBy(() -> TestSites.alone(Map.of("SLURM_NNODES", value)))
                .hasMessageStartingWith("SLURM_NNODES=\"")
                .hasMessageContaining("is not a whole number")
                .message()
                .doesNotContain("\n");
        assertThatThrownBy(() -> TestSites.alone(Map.of("TF_CONFIG", value))).hasMessageStartingWith("TF_CONFIG");
    }

    @Test
    void aProcessOfJaxIsOneOfSeveral() {
        Map<String, String> two = Map.of("COORDINATOR_ADDRESS", "a", "PROCESS_ID", "0");

        assertThat(TestSites.alone(two).unheard()).singleElement().matches(claim -> claim.contradicts(1));
        assertThat(TestSites.alone(Map.of("COORDINATOR_ADDRESS", "a")).unheard())
                .isEmpty();
    }
}
