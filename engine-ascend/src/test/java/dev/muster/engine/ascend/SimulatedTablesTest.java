package dev.muster.engine.ascend;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.spi.LaunchPlan;
import dev.muster.spi.NodeProvision;
import dev.muster.spi.OptionValue;
import dev.muster.spi.SimulatedCluster;
import dev.muster.spi.SimulatedCluster.SimulatedNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SimulatedTablesTest {

    private static SimulatedCluster cluster(int nodes, int cards, Map<String, OptionValue> options) {
        List<SimulatedNode> list = new ArrayList<>();
        for (int node = 0; node < nodes; node++) {
            List<String> addresses = new ArrayList<>();
            for (int card = 0; card < cards; card++) {
                addresses.add("127.9." + node + "." + card);
            }
            list.add(SimulatedNode.of(node, "job-worker-" + node, "127.8.0." + node, "/sim/node-" + node)
                    .withCardAddresses(addresses));
        }
        return SimulatedCluster.of("job", "modelarts", list).withCards(cards).withOptions(options);
    }

    private static List<NodeProvision> provisions(int nodes, int cards, String family) {
        return new AscendEngine()
                .simulation(cluster(nodes, cards, Map.of("table-family", new OptionValue(family, "--table-family"))));
    }

    private static LaunchPlan plan(NodeProvision provision, int node, int nodes) {
        String path = provision.files().firstKey();
        return new TestJob()
                .onModelArts()
                .table(path, TestJson.object(String.valueOf(provision.files().get(path))))
                .pod("job-worker-" + node)
                .hostAddress("127.8.0." + node)
                .node(node, nodes)
                .plan();
    }

    @Test
    void platformsTableIsTheDefault() {
        NodeProvision provision =
                new AscendEngine().simulation(cluster(2, 1, Map.of())).get(1);

        assertThat(provision.environment()).containsExactly(Map.entry("RANK_TABLE_FILE", "/sim/node-1/user/config"));
        assertThat(provision.files())
                .containsExactly(Map.entry(
                        "/sim/node-1/user/config/jobstart_hccl.json",
                        "{\"group_count\": \"1\", \"group_list\": [{\"group_name\": \"job\", \"device_count\": \"2\","
                                + " \"instance_count\": \"2\", \"instance_list\": ["
                                + "{\"pod_name\": \"job-worker-0\", \"server_id\": \"127.8.0.0\", \"devices\":"
                                + " [{\"device_id\": \"0\", \"device_ip\": \"127.9.0.0\"}]}, "
                                + "{\"pod_name\": \"job-worker-1\", \"server_id\": \"127.8.0.1\", \"devices\":"
                                + " [{\"device_id\": \"0\", \"device_ip\": \"127.9.1.0\"}]}]}],"
                                + " \"status\": \"completed\"}"));
    }

    @Test
    void templateOneIsNamedByItsOwnVariable() {
        assertThat(provisions(1, 1, "template1").get(0).environment())
                .containsExactly(Map.entry("RANK_TABLE_FILE_V_1_0", "/sim/node-0/user/config/jobstart_hccl.json"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"template2", "template1", "1.2", "2.0", "lab"})
    void everyFamilyIsReadByThisEngine(String family) {
        List<NodeProvision> provisions = provisions(3, 2, family);

        assertThat(provisions).hasSize(3);
        for (int node = 0; node < 3; node++) {
            LaunchPlan plan = plan(provisions.get(node), node, 3);
            assertThat(TestJob.ranks(plan)).as(family).containsExactly(2 * node, 2 * node + 1);
            assertThat(TestJob.warnings(plan)).isEmpty();
            assertThat(TestJob.variable(plan, "RANK_SIZE")).isEqualTo("6");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"template2", "template1", "1.2", "2.0", "lab"})
    void everyFamilyCanBeWithoutCards(String family) {
        LaunchPlan plan = plan(provisions(2, 0, family).get(1), 1, 2);

        assertThat(TestJob.ranks(plan)).as(family).containsExactly(0);
        assertThat(TestJob.variable(plan, "RANK_TABLE_FILE")).isEqualTo("(not set)");
    }
}
