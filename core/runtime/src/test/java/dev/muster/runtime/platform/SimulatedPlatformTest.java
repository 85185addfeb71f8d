package dev.muster.runtime.platform;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.runtime.plugins.PluginJars;
import dev.muster.runtime.plugins.PluginListener;
import dev.muster.spi.Host;
import dev.muster.spi.SimulatedCluster;
import dev.muster.spi.SimulatedCluster.SimulatedNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SimulatedPlatformTest {

    private static final PlatformCatalog PLATFORMS =
            new PlatformCatalog(new PluginJars(Optional.empty()), PluginListener.NOBODY);

    @TempDir
    private Path directory;

    @Test
    void theLauncherSeesTheSimulatedPlatformAsTheRealOne() throws IOException {
        SimulatedCluster cluster = cluster("modelarts", "modelarts-job-7");
        SimulatedNode node = cluster.nodes().get(1);
        SimulatedEnvironment simulated = environment(cluster, node);
        for (String path : simulated.directories()) {
            Files.createDirectories(Path.of(path));
        }

        ResolvedJob resolved = TestResolvedJobs.read(simulated.variables());

        assertThat(resolved.platform().name()).isEqualTo("modelarts");
        assertThat(resolved.jobId()).isEqualTo("modelarts-job-7");
        assertThat(resolved.node().index()).isEqualTo(OptionalInt.of(1));
        assertThat(resolved.node().count()).isEqualTo(OptionalInt.of(2));
        assertThat(resolved.node().name().orElseThrow().value()).isEqualTo("node-1");
        assertThat(resolved.node().address().orElseThrow().value()).isEqualTo("127.1.0.2");
        assertThat(resolved.node().cards().count()).hasValue(4);
        assertThat(resolved.node().hosts())
                .extracting(Host::name)
                .containsExactly("node-0.ma-job-7", "node-1.ma-job-7");
        assertThat(resolved.places().logDirectory()).isEqualTo(node.directory() + "/home/ma-user/modelarts/log");
        assertThat(resolved.places().workDirectory()).isEqualTo(node.directory() + "/home/ma-user/modelarts/workspace");
        assertThat(resolved.warnings()).isEmpty();
    }

    @Test
    void modelArtsSetsTheVariablesOfItsContainers() {
        SimulatedCluster cluster = cluster("modelarts", "modelarts-job-7");
        String mount = directory + "/node-0/home/ma-user/modelarts";

        SimulatedEnvironment resolved = environment(cluster, cluster.nodes().get(0));

        assertThat(resolved.variables())
                .containsExactlyInAnyOrderEntriesOf(Map.ofEntries(
                        Map.entry("MA_HOME", directory + "/node-0/home/ma-user"),
                        Map.entry("MA_MOUNT_PATH", mount),
                        Map.entry("MA_JOB_DIR", mount + "/user-job-dir"),
                        Map.entry("MA_LOG_DIR", mount + "/log"),
                        Map.entry("MA_NUM_HOSTS", "2"),
                        Map.entry("MA_NUM_GPUS", "4"),
                        Map.entry("MA_TASK_NAME", "worker"),
                        Map.entry("VC_TASK_INDEX", "0"),
                        Map.entry("VK_TASK_INDEX", "0"),
                        Map.entry("VC_WORKER_HOSTS", "node-0.ma-job-7,node-1.ma-job-7"),
                        Map.entry("VC_WORKER_NUM", "2"),
                        Map.entry("MA_CURRENT_INSTANCE_NAME", "node-0"),
                        Map.entry("MA_CURRENT_IP", "127.1.0.1"),
                        Map.entry("MA_CURRENT_HOST_IP", "127.1.0.1"),
                        Map.entry("MA_VJ_NAME", "ma-job-7")));
        assertThat(resolved.directories()).contains(mount + "/log", mount + "/user-job-dir");
    }

    @Test
    void withoutPlatformOptionsTellTheNode() {
        SimulatedCluster cluster = cluster("none", "mine");

        SimulatedEnvironment simulated = environment(cluster, cluster.nodes().get(1));

        assertThat(simulated.variables().keySet()).allMatch(name -> name.startsWith("MUSTER_"));
        ResolvedJob resolved = TestResolvedJobs.read(simulated.variables());
        assertThat(resolved.platform().name()).isEqualTo("none");
        assertThat(resolved.jobId()).isEqualTo("mine");
        assertThat(resolved.node().index()).isEqualTo(OptionalInt.of(1));
        assertThat(resolved.node().count()).isEqualTo(OptionalInt.of(2));
        assertThat(resolved.node().cards().count()).hasValue(4);
        assertThat(simulated.directories())
                .containsExactly(
                        resolved.places().workDirectory(), resolved.places().logDirectory())
                .allMatch(path -> path.startsWith(directory + "/node-1/"));
        assertThat(resolved.settings().warnings()).isEmpty();
    }

    @Test
    void whatTheCallersOwnPlatformAndOptionsSayIsHidden() {
        assertThat(List.of(
                        "MA_VJ_NAME", "VC_WORKER_HOSTS", "VK_TASK_INDEX", "RANK_TABLE_FILE", "RANK_TABLE_FILE_V_1_0"))
                .allMatch(SimulatedPlatformTest::isHidden);
        assertThat(List.of("SLURM_NNODES", "PET_NNODES", "WORLD_SIZE", "TF_CONFIG", "DLWS_NUM_WORKER", "MASTER_ADDR"))
                .allMatch(SimulatedPlatformTest::isHidden);
        assertThat(List.of("MUSTER_NODES", "MUSTER_CONFIG", "MUSTER_RANK_TABLE"))
                .allMatch(SimulatedPlatformTest::isHidden);
        assertThat(List.of("PATH", "MUSTER_JOB", "HOME", "MASTER_PORT")).noneMatch(SimulatedPlatformTest::isHidden);
    }

    private static SimulatedEnvironment environment(SimulatedCluster cluster, SimulatedNode node) {
        return SimulatedPlatform.environment(cluster, node, PLATFORMS);
    }

    private static boolean isHidden(String variable) {
        return SimulatedPlatform.hides(variable, PLATFORMS);
    }

    private SimulatedCluster cluster(String platform, String jobId) {
        return SimulatedCluster.of(jobId, platform, List.of(node(0), node(1))).withCards(4);
    }

    private SimulatedNode node(int index) {
        return SimulatedNode.of(index, "node-" + index, "127.1.0." + (index + 1), directory + "/node-" + index);
    }

    @Test
    void aContainerOfARoleKnowsItsRoleAndTheHostsOfAll() {
        List<SimulatedNode> containers = List.of(container("ps", 0), container("ps", 1), container("worker", 0));
        SimulatedCluster cluster = SimulatedCluster.of("modelarts-job-7", "modelarts", containers);

        ResolvedJob resolved =
                TestResolvedJobs.read(environment(cluster, containers.get(1)).variables(), TestEngines.TENSORFLOW);

        assertThat(resolved.node().role()).contains("ps");
        assertThat(resolved.node().index()).hasValue(1);
        assertThat(resolved.node().count()).hasValue(2);
        assertThat(resolved.node().hostsByRole()).containsOnlyKeys("ps", "worker");
        assertThat(resolved.node().hosts()).extracting(Host::name).containsExactly("ps-0.ma-job-7", "ps-1.ma-job-7");
    }

    private SimulatedNode container(String role, int index) {
        String name = role + "-" + index;
        return SimulatedNode.of(index, name, "127.1.0.9", directory + "/" + name)
                .withRole(Optional.of(role))
                .withPorts(List.of(5000));
    }
}
