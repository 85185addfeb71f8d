package dev.muster.spi;

import java.util.List;
import java.util.Map;

/**
 * The virtual nodes of a simulation, all on this machine.
 *
 * @param jobId as the ranks will see it
 * @param platform name of the simulated platform
 * @param cards accelerators on every node, from 0
 * @param nodes in node order
 * @param options the engine's simulation options that have a value
 * @since 0.1
 */
public record SimulatedCluster(
        String jobId, String platform, int cards, List<SimulatedNode> nodes, Map<String, OptionValue> options) {

    public SimulatedCluster {
        nodes = List.copyOf(nodes);
        options = Map.copyOf(options);
    }

    /**
     * A virtual node.
     *
     * @param name its name on the platform, for example the pod name
     * @param address a loopback address of its own
     * @param directory absolute path of the directory that stands for its file system
     * @param cardAddresses a loopback address for each card
     */
    public record SimulatedNode(int index, String name, String address, String directory, List<String> cardAddresses) {
        public SimulatedNode {
            cardAddresses = List.copyOf(cardAddresses);
        }
    }
}
