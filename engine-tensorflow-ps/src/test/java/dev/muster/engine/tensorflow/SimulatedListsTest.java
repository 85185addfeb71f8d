package dev.muster.engine.tensorflow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.spi.NodeProvision;
import dev.muster.spi.OptionValue;
import dev.muster.spi.PlanException;
import dev.muster.spi.SimulatedCluster;
import dev.muster.spi.SimulatedCluster.SimulatedNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SimulatedListsTest {

    private final List<SimulatedNode> nodes = new ArrayList<>();
    private final Map<String, OptionValue> options = new HashMap<>();
    private String platform = "modelarts";

    @Test
    void wholeNodesGetAPortForEachOfTheirProcessesAndEqualLists() throws PlanException {
        node(0);
        node(1);

        assertThat(provisions()).hasSize(2).allSatisfy(provision -> {
            assertThat(provision.environment())
                    .containsEntry("TF_PS_HOSTS", "127.77.1.1:5000,127.77.1.2:5010")
                    .containsEntry("TF_WORKER_HOSTS", "127.77.1.1:5001,127.77.1.2:5011");
            assertThat(provision.files()).isEmpty();
        });
    }

    /** The simulated ModelArts gives each whole node the role worker. Together with lists this would mean a worker only. */
    @Test
    void wholeNodesOnAPlatformAreToldThatTheyAreWhole() throws PlanException {
        node(0);
        node(1);
        assertThat(provisions().get(0).environment()).containsEntry("MUSTER_SHAPE", "node");

        platform = "none";
        assertThat(provisions().get(0).environment()).containsOnlyKeys("TF_PS_HOSTS", "TF_WORKER_HOSTS");
    }

    @Test
    void containersOfOneRoleGetTheListsOfAllContainers() throws PlanException {
        container(0, "ps");
        container(0, "worker");
        container(1, "worker");

        assertThat(provisions())
                .hasSize(3)
                .allSatisfy(provision -> assertThat(provision.environment())
                        .containsOnlyKeys("TF_PS_HOSTS", "TF_WORKER_HOSTS")
                        .containsEntry("TF_PS_HOSTS", "127.77.1.1:5000")
                        .containsEntry("TF_WORKER_HOSTS", "127.77.1.2:5010,127.77.1.3:5020"));
    }

    @Test
    void oneWholeNodeGetsNothingUnlessItsShapeIsChosen() throws PlanException {
        node(0);
        assertThat(provisions()).containsExactly(NodeProvision.NOTHING.withRanks(List.of("worker-0")));

        shape("node");
        assertThat(provisions().get(0).environment()).containsEntry("TF_PS_HOSTS", "127.77.1.1:5000");
    }

    private List<NodeProvision> provisions() throws PlanException {
        return new TensorFlowPsEngine()
                .simulation(SimulatedCluster.of("job", platform, nodes).withOptions(options));
    }

    private void shape(String word) {
        options.put("shape", new OptionValue(word, "--shape"));
    }

    private void node(int index) {
        add(index, Optional.empty());
    }

    private void container(int index, String role) {
        add(index, Optional.of(role));
    }

    private void add(int index, Optional<String> role) {
        int position = nodes.size();
        int port = 5000 + 10 * position;
        String address = "127.77.1." + (1 + position);
        nodes.add(SimulatedNode.of(index, "pod-" + position, address, "/n/" + position)
                .withRole(role)
                .withPorts(List.of(port, port + 1)));
    }
}
