package dev.muster.engine.mpi;

import dev.muster.spi.Host;
import dev.muster.spi.LauncherNodes;
import dev.muster.spi.Node;
import dev.muster.spi.PlanException;
import dev.muster.spi.PlanRequest;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The hosts of the job in node order, and which of them this node is.
 *
 * @param hosts at least one; a single one has no name that matters
 * @param index 0..hosts-1
 */
record HostAssignment(List<MpiHost> hosts, int index) {

    HostAssignment {
        hosts = List.copyOf(hosts);
    }

    /** The hosts of a hostfile, on each of which a launcher runs. */
    static HostAssignment of(Node node, Hostfile hostfile) throws PlanException {
        int count = hostfile.hosts().size();
        if (count == 1) {
            return new HostAssignment(List.of(hostfile.hosts().get(0).at(true)), 0);
        }
        int index = node.index()
                .orElseThrow(() -> PlanException.configuration(
                        "nobody says which of the " + count + " hosts of " + hostfile.path() + " (" + hostfile.origin()
                                + ") this node is. Give --nodes " + count + " --node-index I"));
        if (node.count().orElse(count) != count || index >= count) {
            throw PlanException.configuration("this node is node " + index + " of "
                    + Messages.count(node.count().orElse(count), "node") + ", but " + hostfile.path() + " ("
                    + hostfile.origin() + ") names " + Messages.count(count, "host") + ". Correct one of them");
        }
        return new HostAssignment(
                IntStream.range(0, count)
                        .mapToObj(i -> hostfile.hosts().get(i).at(i == index))
                        .toList(),
                index);
    }

    /** The hosts that the user or the platform names. */
    static HostAssignment of(PlanRequest request, int slots) throws PlanException {
        Node node = request.node();
        List<Host> hosts = node.hosts();
        int count = count(node);
        if (count == 1) {
            String name = node.machine().hostName();
            return new HostAssignment(List.of(new MpiHost(name, name, name, slots, true)), 0);
        }
        int index = node.index()
                .orElseThrow(() -> PlanException.configuration(
                        "nobody says which of the " + count + " hosts this node is" + indexFix(request)));
        return new HostAssignment(
                IntStream.range(0, count)
                        .mapToObj(i -> host(hosts.get(i), slots, i == index))
                        .toList(),
                index);
    }

    private static int count(Node node) throws PlanException {
        List<Host> hosts = node.hosts();
        int count = node.count().orElse(Math.max(1, hosts.size()));
        if (hosts.isEmpty() && count > 1) {
            throw PlanException.configuration("the job has " + count
                    + " nodes, but nobody names their hosts. Give --hosts A,B,... with the names or addresses of all nodes"
                    + " in node order, the same list on all nodes");
        }
        if (!hosts.isEmpty() && hosts.size() != count) {
            throw PlanException.configuration("the job has " + Messages.count(count, "node") + ", but "
                    + Messages.count(hosts.size(), "host") + " are named. Correct --hosts or the number of nodes");
        }
        return count;
    }

    private static MpiHost host(Host host, int slots, boolean isHere) {
        String address = host.address().orElse(host.name());
        return new MpiHost(host.name(), address, address, slots, isHere);
    }

    private static String indexFix(PlanRequest request) {
        List<String> variables = request.job().platform().indexVariables();
        return variables.isEmpty()
                ? ". Give --node-index I"
                : ": " + String.join(", ", variables) + " are not set. Set one of them, or give --node-index I";
    }

    boolean isAlone() {
        return hosts.size() == 1;
    }

    /** Whether the hosts are one machine, as a simulation has it: several loopback addresses. */
    boolean isOneMachine() {
        return hosts.size() > 1
                && hosts.stream().allMatch(host -> host.address().startsWith("127."));
    }

    /** All ranks of the job. */
    int ranks() {
        return hosts.stream().mapToInt(MpiHost::slots).sum();
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
