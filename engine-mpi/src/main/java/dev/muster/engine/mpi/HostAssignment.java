package dev.muster.engine.mpi;

import dev.muster.spi.LauncherNodes;
import dev.muster.spi.Node;
import dev.muster.spi.PlanException;
import dev.muster.spi.PlanRequest;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The hosts of the job in node order, and the index of this node.
 *
 * @param hosts at least one; the name of a single host does not matter
 * @param index 0..hosts-1
 */
record HostAssignment(List<MpiHost> hosts, int index) {

    HostAssignment {
        hosts = List.copyOf(hosts);
    }

    /**
     * The hosts of a job on each of which a launcher runs.
     *
     * @param named the hosts in node order, from the user or the platform
     * @param origin where they come from
     * @param slots the slots of a job of one node, whose host need not be named
     */
    static HostAssignment of(PlanRequest request, List<MpiHost> named, String origin, int slots) throws PlanException {
        Node node = request.node();
        int count = node.count().orElse(Math.max(1, named.size()));
        if (named.isEmpty() && count == 1) {
            String name = node.machine().hostName();
            return new HostAssignment(List.of(new MpiHost(name, name, name, slots, true)), 0);
        }
        requireAll(count, named.size(), origin);
        int index = count == 1
                ? 0
                : node.index()
                        .orElseThrow(() -> PlanException.configuration("nobody says which of the " + count
                                + " hosts of the job this node is" + indexFix(request)));
        if (index >= count) {
            throw PlanException.configuration("this node is node " + index + " of " + Messages.count(count, "node")
                    + ". Correct --node-index, or " + origin);
        }
        List<MpiHost> hosts = IntStream.range(0, count)
                .mapToObj(i -> named.get(i).withIsHere(i == index))
                .toList();
        return new HostAssignment(hosts, index);
    }

    private static void requireAll(int nodes, int named, String origin) throws PlanException {
        if (named == 0) {
            throw PlanException.configuration("the job has " + nodes
                    + " nodes, but nobody names their hosts. Give --hosts A,B,... with the names or addresses of all nodes"
                    + " in node order, the same list on all nodes");
        }
        if (named != nodes) {
            throw PlanException.configuration("the job has " + Messages.count(nodes, "node") + ", but "
                    + Messages.count(named, "host") + (named == 1 ? " is" : " are") + " named. Correct " + origin
                    + " or the number of nodes");
        }
    }

    private static String indexFix(PlanRequest request) {
        List<String> variables = request.job().platform().indexVariables();
        return variables.isEmpty()
                ? ". Give --nodes N and --node-index I"
                : ": " + String.join(", ", variables) + " are not set. Set one of them, or give --node-index I";
    }

    boolean isAlone() {
        return hosts.size() == 1;
    }

    /** Whether all hosts are one machine, as in a simulation: several loopback addresses. */
    boolean isOneMachine() {
        return hosts.size() > 1
                && hosts.stream().allMatch(host -> host.address().startsWith("127."));
    }

    /** The number of ranks of the job. */
    int ranks() {
        return hosts.stream().mapToInt(MpiHost::slots).sum();
    }

    MpiHost own() {
        return hosts.get(index);
    }

    /** Another host than this one. */
    MpiHost other() {
        return hosts.get(index == 0 ? 1 : 0);
    }

    /** A launcher on every host; the first is the leader. */
    LauncherNodes launchers() {
        return LauncherNodes.ofHosts(index, hosts.stream().map(MpiHost::host).toList());
    }

    /** {@code node 2 (w-2)}. */
    String label(int node) {
        return "node " + node + " (" + hosts.get(node).name() + ")";
    }
}
