package dev.muster.engine.mpi;

import dev.muster.spi.NodeProvision;
import dev.muster.spi.SimulatedCluster;
import dev.muster.spi.SimulatedCluster.SimulatedNode;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * What a simulated cluster gives its nodes: a directory where they find the job's key, and
 * names and a port that they can have beside each other on one machine.
 */
final class SimulatedHosts {

    /** How many ports a node needs: for its sshd. */
    static final int PORTS = 1;

    private static final String SHARED_DIRECTORY = "MUSTER_SHARED_DIRECTORY";
    private static final String HOSTS = "MUSTER_HOSTS";
    private static final String SSHD_PORT = "MUSTER_SSHD_PORT";
    private static final String INTERFACE = "MUSTER_INTERFACE";
    private static final String LOOPBACK = "lo";

    private SimulatedHosts() {}

    /** All nodes get the same. Which ranks they have is mpirun's affair. */
    static List<NodeProvision> of(SimulatedCluster cluster) {
        NodeProvision same = cluster.nodes().size() == 1 ? NodeProvision.NOTHING : together(cluster);
        return Collections.nCopies(cluster.nodes().size(), same);
    }

    private static NodeProvision together(SimulatedCluster cluster) {
        SimulatedNode first = cluster.nodes().get(0);
        String hosts = cluster.nodes().stream().map(SimulatedNode::address).collect(Collectors.joining(","));
        Map<String, String> variables = new HashMap<>();
        variables.put(HOSTS, hosts);
        // Each sshd listens at its node's own loopback address, so one port does for all.
        variables.put(SSHD_PORT, Integer.toString(first.ports().get(0)));
        variables.put(INTERFACE, LOOPBACK);
        if (cluster.options().containsKey(Options.SSH_KEY) || cluster.options().containsKey(Options.SHARED_DIRECTORY)) {
            return NodeProvision.of(variables);
        }
        String shared = first.directory() + "/ssh";
        variables.put(SHARED_DIRECTORY, shared);
        return NodeProvision.of(variables).withTemporaryDirectories(List.of(shared));
    }
}
