package dev.muster.engine.mpi;

import dev.muster.spi.Host;
import dev.muster.spi.JobSpec;
import dev.muster.spi.Node;
import dev.muster.spi.PlanException;
import dev.muster.spi.PlanRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/** Finds out which hosts the job has and which one this is. */
final class Seats {

    private static final int UNKNOWN_PORT = 22;

    private final JobSpec job;
    private final Node node;
    private final int port;

    private Seats(JobSpec job, Node node, int port) {
        this.job = job;
        this.node = node;
        this.port = port;
    }

    static NodeAssignment of(JobSpec job, Node node, int port) throws PlanException {
        return new Seats(job, node, port).assignment();
    }

    /**
     * The hosts of a hostfile, on each of which a launcher runs.
     *
     * @param port of the sshd that these launchers run
     */
    static NodeAssignment of(PlanRequest request, Hostfile hostfile, int port) throws PlanException {
        SshAliases aliases = SshAliases.read(request);
        NodeAssignment listed = listed(hostfile, login -> aliases.address(login), port);
        Node node = request.node();
        int count = listed.hosts().size();
        if (count == 1) {
            return listed;
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
        return new NodeAssignment(listed.hosts(), index);
    }

    /** The hosts of a hostfile which ssh alone knows how to reach. */
    static NodeAssignment listed(Hostfile hostfile) {
        return listed(hostfile, login -> login, UNKNOWN_PORT);
    }

    private static NodeAssignment listed(Hostfile hostfile, UnaryOperator<String> address, int port) {
        List<MpiHost> hosts = new ArrayList<>();
        for (Hostfile.Line line : hostfile.lines()) {
            String alias = MpiHost.withoutUser(line.host());
            hosts.add(new MpiHost(alias, address.apply(alias), line.host(), port));
        }
        return new NodeAssignment(hosts, 0);
    }

    /** The same hosts, where the user's ssh configuration says they are. */
    static NodeAssignment aliased(PlanRequest request, NodeAssignment assignment) {
        SshAliases aliases = SshAliases.read(request);
        return new NodeAssignment(
                assignment.hosts().stream()
                        .map(host -> new MpiHost(host.name(), aliases.address(host.address()), host.port()))
                        .toList(),
                assignment.index());
    }

    private NodeAssignment assignment() throws PlanException {
        if (!node.hosts().isEmpty()) {
            return seatAmong(node.hosts());
        }
        if (node.count().orElse(1) == 1) {
            return alone();
        }
        throw PlanException.configuration("the job has " + node.count().getAsInt()
                + " nodes, but nobody names their hosts. Give --hosts A,B,... with the names or addresses of all nodes"
                + " in node order, the same list on all nodes");
    }

    private NodeAssignment seatAmong(List<Host> hosts) throws PlanException {
        if (node.count().isPresent() && node.count().getAsInt() != hosts.size()) {
            throw PlanException.configuration("the job has "
                    + Messages.count(node.count().getAsInt(), "node") + ", but " + Messages.count(hosts.size(), "host")
                    + " are named. Correct --hosts or the number of nodes");
        }
        if (hosts.size() == 1) {
            return alone();
        }
        if (node.index().isEmpty()) {
            throw PlanException.configuration(
                    "nobody says which of the " + hosts.size() + " hosts this node is" + indexFix(job));
        }
        return new NodeAssignment(
                hosts.stream().map(host -> MpiHost.of(host, port)).toList(),
                node.index().getAsInt());
    }

    private NodeAssignment alone() {
        String name = node.machine().hostName();
        return new NodeAssignment(List.of(new MpiHost(name, name, port)), 0);
    }

    private static String indexFix(JobSpec job) {
        List<String> variables = job.platform().indexVariables();
        return variables.isEmpty()
                ? ". Give --node-index I"
                : ": " + Messages.list(variables) + " are not set. Set one of them, or give --node-index I";
    }
}
