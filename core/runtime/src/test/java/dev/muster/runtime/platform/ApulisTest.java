package dev.muster.runtime.platform;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.spi.EngineDescriptor;
import dev.muster.spi.Host;
import dev.muster.spi.PlatformContract.WellKnownFile;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ApulisTest {

    private static final String JOB = "8f0d3c52-1f0e-4a0b-9f64-3c1f7e0c2b11";

    @TempDir
    private Path root;

    @Test
    void workersAreTheNodes() {
        for (int i = 0; i < 2; i++) {
            Site site =
                    OnNode.of("apulis-gpu-worker-" + i, root, TestEngines.TORCH).site();
            assertThat(site.platform().name()).isEqualTo("apulis");
            assertThat(site.jobId()).isEqualTo(JOB);
            assertThat(site.node().count()).hasValue(2);
            assertThat(site.node().index()).hasValue(i);
            assertThat(site.node().cards().count()).hasValue(4);
            assertThat(site.node().hosts()).extracting(Host::name).containsExactly("10.30.0.21", "10.30.0.22");
            assertThat(site.node().address().orElseThrow().value()).isEqualTo("10.30.0.2" + (1 + i));
            assertThat(site.unheard()).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"DLWS_NUM_WORKER", "DLWS_SD_worker1_IP"})
    void anOnlyWorkerIsNotOneOfSeveral(String variable) {
        OnNode first = OnNode.of("apulis-gpu-worker-0", root, TestEngines.TORCH).unset("DLWS_NUM_WORKER");
        assertThat(first.site().unheard())
                .singleElement()
                .matches(claim -> claim.contradicts(1) && !claim.contradicts(2))
                .extracting(Claim::text)
                .asString()
                .contains("DLWS_SD_worker1_IP");
        OnNode only = OnNode.of("apulis-single", root, TestEngines.TORCH);
        assertThat(only.site().unheard()).isEmpty();

        only.set(variable.contains("NUM") ? "DLWS_WORKER_NUM" : variable, "2");
        assertThat(only.site().unheard()).singleElement().matches(claim -> claim.contradicts(1));
        assertThat(only.site("nodes", "1").unheard()).isEmpty();
    }

    @Test
    void whoHasAnIndexAndNoNumberIsNotAlone() {
        OnNode only = OnNode.of("apulis-single", root, TestEngines.ASCEND).unset("DLWS_NUM_WORKER");
        assertThat(only.site().unheard()).isEmpty();
        assertThat(only.set("DLWS_ROLE_IDX", "1").site().unheard())
                .singleElement()
                .matches(claim -> claim.contradicts(1));
        OnNode ps = OnNode.of("apulis-single", root, TestEngines.MPI).unset("DLWS_NUM_WORKER");
        ps.set("DLWS_ROLE_IDX", "1").set("DLWS_ROLE_NAME", "ps");
        assertThat(ps.site().unheard()).isEmpty();
        OnNode.of("apulis-single", root, TestEngines.TORCH)
                .set("DLWS_ROLE_IDX", "1")
                .assertRefused("DLWS_ROLE_IDX=1, but DLWS_NUM_WORKER=1");
    }

    @Test
    void whoLogsInIsToldTheNamesThatSshKnowsAndThatAllRunTheCommand() {
        OnNode worker = OnNode.of("apulis-gpu-worker-1", root, TestEngines.MPI);
        Site site = worker.site();
        assertThat(site.node().hosts()).extracting(Host::name).containsExactly("worker-0", "worker-1");
        assertThat(site.node().hostsByRole().get("ps")).extracting(Host::name).containsExactly("ps-0");
        assertThat(site.node().name().orElseThrow().value()).isEqualTo("worker-1");
        assertThat(worker.option("sshd")).isEqualTo("none (DLWS_JOB_ID)");
        assertThat(worker.option("hostfile")).isEqualTo("/job/hostfile (DLWS_JOB_ID)");
        assertThat(worker.option("launchers")).isEqualTo("all (DLWS_ROLE_NAME)");
        assertThat(worker.option("sshd-port")).isEmpty();
        assertThat(worker.option("sshd-port", "launcher", "horovodrun")).isEqualTo("40021 (DLWS_SD_worker0_SSH_PORT)");
    }

    @Test
    void aPsIsNoneOfTheNodesButBelongsToTheJob() {
        Site site = OnNode.of("apulis-gpu-ps-0", root, TestEngines.MPI).site();
        assertThat(site.node().index()).isEmpty();
        assertThat(site.node().count()).isEmpty();
        assertThat(site.node().role()).contains("ps");
        assertThat(site.node().name().orElseThrow().value()).isEqualTo("ps-0");
        assertThat(site.node().hosts()).extracting(Host::name).containsExactly("worker-0", "worker-1");

        OnNode.of("apulis-gpu-ps-0", root, TestEngines.TORCH)
                .assertRefused("ps (DLWS_ROLE_NAME)", "engine torch", "sleep infinity");
    }

    @Test
    void psAndWorkersAreRolesForEnginesThatKnowThem() {
        Site ps = OnNode.of("apulis-gpu-ps-0", root, TestEngines.TENSORFLOW).site();
        Site worker =
                OnNode.of("apulis-gpu-worker-1", root, TestEngines.TENSORFLOW).site();
        assertThat(ps.node().role()).contains("ps");
        assertThat(ps.node().index()).hasValue(0);
        assertThat(worker.node().index()).hasValue(1);
        assertThat(worker.node().count()).hasValue(3);
        assertThat(worker.node().hostsByRole()).isEqualTo(ps.node().hostsByRole());
        assertThat(worker.node().hostsByRole().get("ps")).extracting(Host::name).containsExactly("10.244.1.9");
        assertThat(worker.node().hostsByRole().get("worker")).hasSize(2);
    }

    @Test
    void theTableTellsTheNodesOfANpuJob() {
        Site site = OnNode.of("apulis-npu-worker-1", root, TestEngines.ASCEND).site();
        assertThat(site.platform().contract().file(WellKnownFile.RANK_TABLE))
                .contains("/home/alice/.npu/" + JOB + "/hccl_ms.json");
        assertThat(site.node().address().orElseThrow().value()).isEqualTo("10.30.0.22");
        assertThat(site.node().address().orElseThrow().origin()).isEqualTo("DLWS_SD_worker1_HOST_IP");
        assertThat(site.node().index()).isEmpty();
        assertThat(site.unheard()).noneMatch(claim -> claim.contradicts(2));
        assertThat(site.unheard()).anyMatch(claim -> claim.contradicts(1));

        assertThat(OnNode.of("apulis-gpu-worker-1", root.resolve("other"), TestEngines.ASCEND)
                        .site()
                        .platform()
                        .contract()
                        .files())
                .isEmpty();
    }

    @Test
    void oneContainerIsOneNode() {
        OnNode node = OnNode.of("apulis-single", root, TestEngines.MPI);
        assertThat(node.site().node().count()).hasValue(1);
        assertThat(node.site().node().index()).hasValue(0);
        assertThat(node.site().unheard()).isEmpty();
        assertThat(node.option("sshd")).isEmpty();
        assertThat(node.option("launchers")).isEmpty();
    }

    @Test
    void aListWithGapsIsRefused() {
        OnNode.of("apulis-gpu-worker-1", root, TestEngines.TORCH)
                .unset("DLWS_SD_worker0_IP")
                .assertRefused("DLWS_SD_worker0_IP is not set", "--hosts");
    }

    @ParameterizedTest
    @ValueSource(strings = {"DLWS_NUM_WORKER", "DLWS_ROLE_IDX", "DLWS_NUM_GPU_PER_WORKER", "DLWS_NUM_PS"})
    void hostileNumbersAreRefused(String variable) {
        OnNode.of("apulis-gpu-worker-1", root, TestEngines.MPI).assertRefusesHostile(variable);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "DLWS_JOB_ID",
                "DLWS_ROLE_NAME",
                "DLWS_SD_worker0_IP",
                "DLWS_SD_worker1_HOST_IP",
                "DLWS_USER_NAME"
            })
    void hostileNamesAreRefused(String variable) {
        OnNode node = OnNode.of("apulis-gpu-worker-1", root, TestEngines.MPI);
        node.set(variable, "$(id)").assertRefused(variable, "\"$(id)\"");
        node.set(variable, "a\nb").assertRefused(variable);
    }

    /** Each of the job's containers would start the ranks of all. */
    @Test
    void whoIsNotToldItsRoleAmongSeveralIsRefused() {
        for (EngineDescriptor engine : List.of(TestEngines.TORCH, TestEngines.MPI)) {
            OnNode.of("apulis-gpu-worker-1", root, engine)
                    .set("DLWS_ROLE_NAME", "")
                    .assertRefused("DLWS_ROLE_NAME is not set", "2 workers and 1 ps", "--node-index");
        }
        assertThat(OnNode.of("apulis-single", root, TestEngines.MPI)
                        .unset("DLWS_ROLE_NAME")
                        .site()
                        .node()
                        .count())
                .hasValue(1);
    }

    @Test
    void workersThatNobodyCountsAreRefusedForWhoLogsIn() {
        OnNode.of("apulis-gpu-worker-0", root, TestEngines.MPI)
                .set("DLWS_NUM_PS", "0")
                .unset("DLWS_NUM_WORKER", "DLWS_WORKER_NUM")
                .assertRefused("DLWS_SD_worker1_IP", "DLWS_NUM_WORKER", "--nodes N");
    }

    /** It would be booted as a worker, and have the index of one that there is. */
    @ParameterizedTest
    @ValueSource(strings = {"Worker", "0ps", "elsewhere"})
    void aRoleThatThereIsNotIsRefused(String role) {
        for (EngineDescriptor engine : List.of(TestEngines.TORCH, TestEngines.MPI)) {
            OnNode.of("apulis-gpu-ps-0", root, engine)
                    .set("DLWS_ROLE_NAME", role)
                    .assertRefused("DLWS_ROLE_NAME", role, "master, worker, ps");
        }
    }
}
