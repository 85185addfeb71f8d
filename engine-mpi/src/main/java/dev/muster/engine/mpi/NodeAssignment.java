package dev.muster.engine.mpi;

import dev.muster.spi.LauncherNodes;
import java.util.List;

/**
 * The hosts of the job in node order, and which of them this node is.
 *
 * @param hosts at least one; a single one has no name that matters
 * @param index 0..hosts-1
 */
record NodeAssignment(List<MpiHost> hosts, int index) {

    NodeAssignment {
        hosts = List.copyOf(hosts);
    }

    boolean isAlone() {
        return hosts.size() == 1;
    }

    /** Whether the hosts are one machine, as a simulation has it: several loopback addresses. */
    boolean isOneMachine() {
        return hosts.size() > 1
                && hosts.stream().allMatch(host -> host.address().startsWith("127."));
    }

    MpiHost own() {
        return hosts.get(index);
    }

    /** One of the hosts that this is not. */
    MpiHost other() {
        return hosts.get(index == 0 ? 1 : 0);
    }

    /** A launcher on every host; the first leads. */
    LauncherNodes launchers() {
        return LauncherNodes.ofHosts(index, hosts.stream().map(MpiHost::host).toList());
    }

    /** {@code node 2 (w-2)}. */
    String label(int node) {
        return "node " + node + " (" + hosts.get(node).name() + ")";
    }
}
