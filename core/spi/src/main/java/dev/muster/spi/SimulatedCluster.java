package dev.muster.spi;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The virtual nodes of a simulation, all on this machine, whose network and files they share. They have loopback addresses.
 *
 * @param jobId as the ranks will see it
 * @param platform name of the simulated platform
 * @param cards accelerators on every node, from 0
 * @param nodes in node order; when every role has containers of its own, all containers, one role after another
 * @param options the engine's options, those for simulations included, that have a value
 * @since 0.1
 */
public record SimulatedCluster(
        String jobId, String platform, int cards, List<SimulatedNode> nodes, Map<String, OptionValue> options) {

    public SimulatedCluster {
        nodes = List.copyOf(nodes);
        options = Map.copyOf(options);
    }

    /** Nodes with a card each until the builder hears otherwise. */
    public static Builder builder(String jobId, String platform, List<SimulatedNode> nodes) {
        return new Builder(jobId, platform, nodes);
    }

    /** Puts a cluster together. */
    public static final class Builder {

        private final String jobId;
        private final String platform;
        private final List<SimulatedNode> nodes;
        private int cards = 1;
        private Map<String, OptionValue> options = Map.of();

        private Builder(String jobId, String platform, List<SimulatedNode> nodes) {
            this.jobId = jobId;
            this.platform = platform;
            this.nodes = nodes;
        }

        /** How many accelerators every node has. */
        public Builder cards(int each) {
            cards = each;
            return this;
        }

        public Builder options(Map<String, OptionValue> given) {
            options = given;
            return this;
        }

        public SimulatedCluster build() {
            return new SimulatedCluster(jobId, platform, cards, nodes, options);
        }
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

        /** A node without a role, cards or ports, until the builder hears otherwise. */
        public static Builder builder(int index, String name, String address, String directory) {
            return new Builder(index, name, address, directory);
        }

        /** Puts a node together. */
        public static final class Builder {

            private final int index;
            private final String name;
            private final String address;
            private final String directory;
            private Optional<String> role = Optional.empty();
            private List<String> cardAddresses = List.of();
            private List<Integer> ports = List.of();

            private Builder(int index, String name, String address, String directory) {
                this.index = index;
                this.name = name;
                this.address = address;
                this.directory = directory;
            }

            public Builder role(Optional<String> word) {
                role = word;
                return this;
            }

            public Builder cardAddresses(List<String> addresses) {
                cardAddresses = addresses;
                return this;
            }

            public Builder ports(List<Integer> free) {
                ports = free;
                return this;
            }

            public SimulatedNode build() {
                return new SimulatedNode(index, role, name, address, directory, cardAddresses, ports);
            }
        }
    }
}
