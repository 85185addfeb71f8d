package dev.muster.engine.tensorflow;

import dev.muster.spi.NodeProvision;
import dev.muster.spi.OptionValue;
import dev.muster.spi.PlatformContract;
import dev.muster.spi.SimulatedCluster;
import dev.muster.spi.SimulatedCluster.SimulatedNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** The lists of addresses that a simulated platform gives to all its nodes or containers, with a port for each process. */
record SimulatedLists(SimulatedCluster cluster) {

    /** The number of ports of a node: for its ps and for its worker. */
    static final int PORTS = 2;

    /** The variable of {@code -o shape}. A simulated whole node needs it, because the platform also calls it a "worker". */
    private static final String SHAPE_VARIABLE = "MUSTER_SHAPE";

    /** The provision of each node, in node order; all nodes get the same lists. */
    List<NodeProvision> provisions() {
        boolean hasRoles = cluster.nodes().stream().anyMatch(node -> node.role().isPresent());
        boolean isShaped = cluster.options().containsKey(Options.SHAPE);
        boolean isPlain = cluster.nodes().size() == 1 && !hasRoles && !isShaped;
        NodeProvision same = isPlain ? NodeProvision.NOTHING : NodeProvision.of(variables(hasRoles));
        return cluster.nodes().stream()
                .map(node -> same.withRanks(ranks(node, isPlain && isOnPlatform())))
                .toList();
    }

    /** The ids of a node's processes. The only worker of a platform has no ps. */
    private List<String> ranks(SimulatedNode node, boolean isAlone) {
        Optional<OptionValue> config = Optional.ofNullable(cluster.options().get(Options.TF_CONFIG));
        boolean hasPs = config.map(given -> Strategy.of(given.value()))
                        .orElse(Strategy.PS)
                        .hasPs()
                && !isAlone;
        List<Role> roles = node.role().isPresent()
                ? Role.ofContainer(node.role()).stream().toList()
                : List.of(Role.PS, Role.WORKER);
        return roles.stream()
                .filter(role -> hasPs || role != Role.PS)
                .map(role -> new Member(role, node.index()).id())
                .toList();
    }

    private SortedMap<String, String> variables(boolean hasRoles) {
        List<String> ps = new ArrayList<>();
        List<String> workers = new ArrayList<>();
        for (SimulatedNode node : cluster.nodes()) {
            if (hasRoles) {
                boolean isPs = Role.ofContainer(node.role()).equals(Optional.of(Role.PS));
                (isPs ? ps : workers).add(address(node, 0));
            } else {
                ps.add(address(node, 0));
                workers.add(address(node, 1));
            }
        }
        SortedMap<String, String> variables = new TreeMap<>();
        variables.put(ClusterResolver.PS_VARIABLE, String.join(",", ps));
        variables.put(ClusterResolver.WORKER_VARIABLE, String.join(",", workers));
        if (!hasRoles && isOnPlatform()) {
            variables.put(SHAPE_VARIABLE, Options.NODE);
        }
        return variables;
    }

    private boolean isOnPlatform() {
        return !cluster.platform().equals(PlatformContract.NONE.name());
    }

    private static String address(SimulatedNode node, int port) {
        return Endpoint.fixed(node.address(), node.ports().get(port)).label();
    }
}
