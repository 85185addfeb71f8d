package dev.muster.engine.pytorch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.spi.LaunchPlan;
import dev.muster.spi.NodeProvision;
import dev.muster.spi.SimulatedCluster;
import dev.muster.spi.SimulatedCluster.SimulatedNode;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PyTorchEngineTest {

    @Test
    void onlyTorchrunNeedsFactsOfPrograms() {
        for (String mode : List.of("per-node", "per-card")) {
            assertThat(new TestJob().processes(mode).inputs()).isEmpty();
        }
    }

    @Test
    void processesOfANodeShareADirectory() {
        LaunchPlan bare = new TestJob().processes("per-card").cards(2).plan();
        LaunchPlan modelArts =
                new TestJob().processes("per-card").cards(2).onModelArts().plan();

        assertThat(TestJob.tasks(bare))
                .extracting(task -> task.launch().workDirectory())
                .containsExactly("/work", "/work");
        assertThat(TestJob.tasks(modelArts))
                .extracting(task -> task.launch().workDirectory())
                .containsExactly("/here", "/here");
        assertThat(bare.directories()).singleElement().satisfies(directory -> {
            assertThat(directory.path()).isEqualTo("/work");
            assertThat(directory.required()).isTrue();
        });
        assertThat(modelArts.directories()).isEmpty();
    }

    @Test
    void simulatedNodesMeetAtTheFirstOnesAddressAndPort() {
        List<NodeProvision> provisions = new PyTorchEngine()
                .simulation(cluster(
                        SimulatedNode.of(0, "a", "127.77.1.1", "/s/0").withPorts(List.of(5123)),
                        SimulatedNode.of(1, "b", "127.77.1.2", "/s/1").withPorts(List.of(5124))));

        assertThat(provisions).hasSize(2).allSatisfy(provision -> {
            assertThat(provision.files()).isEmpty();
            assertThat(provision.environment())
                    .isEqualTo(Map.of(
                            "MUSTER_MASTER_ADDR", "127.77.1.1",
                            "MUSTER_MASTER_PORT", "5123",
                            "GLOO_SOCKET_IFNAME", "lo"));
        });
    }

    private static SimulatedCluster cluster(SimulatedNode... nodes) {
        return SimulatedCluster.of("job", "none", List.of(nodes)).withCards(2);
    }
}
