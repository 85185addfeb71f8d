package dev.muster.runtime.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.spi.NodeProvision;
import dev.muster.spi.SimulatedCluster;
import dev.muster.spi.SimulatedCluster.SimulatedNode;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SimulatedKeyTest {

    @Test
    void addsTheKeyToWhatTheEngineProvides() {
        SimulatedNode node = SimulatedNode.of(0, "pod-0", "127.100.1.1", "/sim/node-0");
        NodeProvision provision = NodeProvision.of(Map.of("NAME", "value"))
                .withFiles(Map.of("/sim/node-0/hosts", "a b"))
                .withTemporaryDirectories(List.of("/sim/node-0/secret"))
                .withRanks(List.of("0"));

        NodeProvision keyed = SimulatedKey.addedTo(
                        List.of(provision), SimulatedCluster.of("job", "none", List.of(node)))
                .get(0);

        assertThat(keyed.environment())
                .containsEntry("NAME", "value")
                .containsEntry("MUSTER_SSH_KEY", "/sim/node-0/ssh/key");
        assertThat(keyed.files()).containsEntry("/sim/node-0/hosts", "a b").containsKey("/sim/node-0/ssh/key");
        assertThat(keyed.temporaryDirectories()).containsExactly("/sim/node-0/secret", "/sim/node-0/ssh");
        assertThat(keyed.ranks()).containsExactly("0");
    }
}
