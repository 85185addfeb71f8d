package dev.muster.engine.pytorch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.spi.Engine;
import dev.muster.spi.EngineDescriptor;
import dev.muster.spi.EngineOption;
import dev.muster.spi.Input;
import dev.muster.spi.LaunchPlan;
import dev.muster.spi.NodeProvision;
import dev.muster.spi.SimulatedCluster;
import dev.muster.spi.SimulatedCluster.SimulatedNode;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;

class PyTorchEngineTest {

    @Test
    void isFoundAsAService() {
        assertThat(ServiceLoader.load(Engine.class))
                .singleElement()
                .isInstanceOf(PyTorchEngine.class)
                .satisfies(engine -> assertThat(engine.descriptor().id()).isEqualTo("pytorch-gpu"));
    }

    @Test
    void descriptorNamesTheOptions() {
        EngineDescriptor descriptor = new PyTorchEngine().descriptor();

        assertThat(descriptor).isEqualTo(new PyTorchEngine().descriptor());
        assertThat(descriptor.options())
                .extracting(EngineOption::name)
                .containsExactly("processes", "inject", "master-addr", "master-port");
        assertThat(descriptor.options().get(0).choices()).containsExactly("per-node", "per-card", "torchrun");
        assertThat(descriptor.options())
                .extracting(EngineOption::defaultValue)
                .containsExactly(Optional.of("per-node"), Optional.of("true"), Optional.empty(), Optional.empty());
        assertThat(descriptor.simulatedPorts()).isEqualTo(1);
    }

    @Test
    void descriptorNamesEveryVariableThatTheEngineSetsOrRemoves() {
        assertThat(new PyTorchEngine().descriptor().ownedVariables())
                .containsExactly(
                        "CUDA_VISIBLE_DEVICES",
                        "GROUP_RANK",
                        "GROUP_WORLD_SIZE",
                        "LOCAL_RANK",
                        "LOCAL_WORLD_SIZE",
                        "MASTER_ADDR",
                        "MASTER_PORT",
                        "NCCL_ASYNC_ERROR_HANDLING",
                        "OMP_NUM_THREADS",
                        "PET_*",
                        "RANK",
                        "ROLE_NAME",
                        "ROLE_RANK",
                        "ROLE_WORLD_SIZE",
                        "TF_CONFIG",
                        "TORCHELASTIC_*",
                        "TORCH_NCCL_ASYNC_ERROR_HANDLING",
                        "WORLD_SIZE");
    }

    @Test
    void onlyTorchrunNeedsFactsOfPrograms() {
        for (String mode : List.of("per-node", "per-card")) {
            assertThat(new TestJob().processes(mode).inputs())
                    .containsExactly(new Input.Listing("nvidia", "/dev", "nvidia"));
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

    @Test
    void simulationWithoutNodesNeedsNothing() {
        assertThat(new PyTorchEngine().simulation(cluster())).isEmpty();
    }

    private static SimulatedCluster cluster(SimulatedNode... nodes) {
        return SimulatedCluster.of("job", "none", List.of(nodes)).withCards(2);
    }
}
