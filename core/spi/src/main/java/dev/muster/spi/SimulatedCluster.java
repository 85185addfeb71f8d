package dev.muster.spi;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The virtual nodes of a simulation. All are on this machine, share its network and files, and have loopback addresses.
 *
 * @param jobId the job's id, as the ranks see it
 * @param platform the name of the simulated platform
 * @param cards the number of accelerators on every node, from 0
 * @param nodes in node order; if every role has its own containers, all containers, one role after another
 * @param options the engine's options that have a value, with the options for simulations
 * @since 0.1
 */
@Stability(stable = false)
public record SimulatedCluster(
        String jobId, String platform, int cards, List<SimulatedNode> nodes, Map<String, OptionValue> options) {

    public SimulatedCluster {
        nodes = List.copyOf(nodes);
        options = Map.copyOf(options);
    }

    /** Nodes with one card each, without options. */
    public static SimulatedCluster of(String jobId, String platform, List<SimulatedNode> nodes) {
        return new SimulatedCluster(jobId, platform, 1, nodes, Map.of());
    }

    /** The same with this number of accelerators on every node. */
    public SimulatedCluster withCards(int each) {
        return new SimulatedCluster(jobId, platform, each, nodes, options);
    }

    public SimulatedCluster withOptions(Map<String, OptionValue> given) {
        return new SimulatedCluster(jobId, platform, cards, nodes, given);
    }

    /**
     * A virtual node, or a container of a virtual node.
     *
     * @param index from 0; within its role, if it has one
     * @param role what it does, if every role has its own containers
     * @param name its name on the platform, for example the pod name
     * @param address its own address: in the cluster's network if nodes are hosts, else a loopback address
     * @param directory absolute path of the directory that stands for its file system
     * @param cardAddresses a loopback address for each card
     * @param ports free TCP ports of this machine that no other simulation uses; {@link
     *     EngineDescriptor#simulatedPorts} tells how many
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

        /** A node without a role, cards or ports. */
        public static SimulatedNode of(int index, String name, String address, String directory) {
            return new SimulatedNode(index, Optional.empty(), name, address, directory, List.of(), List.of());
        }

        public SimulatedNode withRole(Optional<String> word) {
            return new SimulatedNode(index, word, name, address, directory, cardAddresses, ports);
        }

        public SimulatedNode withCardAddresses(List<String> addresses) {
            return new SimulatedNode(index, role, name, address, directory, addresses, ports);
        }

        public SimulatedNode withPorts(List<Integer> free) {
            return new SimulatedNode(index, role, name, address, directory, cardAddresses, free);
        }
    }
}
