package dev.muster.spi;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The virtual nodes of a simulation, all on this machine.
 *
 * @param jobId as the ranks will see it
 * @param platform name of the simulated platform
 * @param cards accelerators on every node, from 0
 * @param nodes in node order; when every role has containers of its own, all containers, one role after another
 * @param options the engine's options, those for simulations included, that have a value
 * @param hosts whether nodes are hosts of their own ({@link EngineDescriptor.Simulation#hosts}); else all share this machine's
 *     network and files, and have loopback addresses
 * @since 0.1
 */
public record SimulatedCluster(
        String jobId,
        String platform,
        int cards,
        List<SimulatedNode> nodes,
        Map<String, OptionValue> options,
        boolean hosts) {

    public SimulatedCluster {
        nodes = List.copyOf(nodes);
        options = Map.copyOf(options);
    }

    /** Nodes that share this machine's network. */
    public SimulatedCluster(
            String jobId, String platform, int cards, List<SimulatedNode> nodes, Map<String, OptionValue> options) {
        this(jobId, platform, cards, nodes, options, false);
    }

    /**
     * A virtual node, or a container of one.
     *
     * @param index from 0, within its role where it has one
     * @param role what it does, where every role has containers of its own ({@code simulate --roles})
     * @param name its name on the platform, for example the pod name
     * @param address its own: in the cluster's network when nodes are hosts, else a loopback address
     * @param directory absolute path of the directory that stands for its file system
     * @param cardAddresses a loopback address for each card
     * @param ports free TCP ports of this machine that no other simulation has, as many as {@link
     *     EngineDescriptor.Simulation#ports} says
     */
    public record SimulatedNode(
            int index,
            Optional<String> role,
            String name,
            String address,
            String directory,
            List<String> cardAddresses,
            List<Integer> ports) {
        public SimulatedNode {
            cardAddresses = List.copyOf(cardAddresses);
            ports = List.copyOf(ports);
        }

        /** A node without roles that needs no ports. */
        public SimulatedNode(int index, String name, String address, String directory, List<String> cardAddresses) {
            this(index, Optional.empty(), name, address, directory, cardAddresses, List.of());
        }
    }
}
