package dev.muster.engine.tensorflow;

import dev.muster.spi.JobSpec;
import dev.muster.spi.Node;
import dev.muster.spi.PlanException;
import dev.muster.spi.PlatformContract;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The part of the job that this launcher runs.
 *
 * @param isRole whether the node is a container of one role; else it is a whole node
 * @param members its processes, a ps first
 * @param isWhole whether the cluster has all processes of the job; else processes may come and go
 */
record NodeAssignment(Cluster cluster, Strategy strategy, boolean isRole, List<Member> members, boolean isWhole) {

    NodeAssignment {
        members = List.copyOf(members);
    }

    /**
     * The assignment by lists of addresses, given or computed; empty if this launcher runs no process of a cluster.
     *
     * @throws PlanException when lists, platform and options do not fit together
     */
    static Optional<NodeAssignment> ofLists(JobSpec job, Node node, Options options) throws PlanException {
        Strategy strategy = options.strategy();
        ClusterResolver resolver = new ClusterResolver(job, node, strategy);
        Optional<Cluster> given = resolver.given();
        Optional<Role> role = role(options, node, given.isPresent());
        if (role.equals(Optional.of(Role.PS)) && !strategy.hasPs()) {
            return Optional.empty();
        }
        // If a platform gives its only node no lists, the node has no role: ModelArts runs the command
        // unchanged.
        boolean isOnPlatform = !job.platform().name().equals(PlatformContract.NONE.name());
        boolean isChosen =
                role.isPresent() || given.isPresent() || options.shape().isPresent();
        if (isOnPlatform && !isChosen && resolver.nodes() == 1) {
            options.refuseChiefOf(1);
            return Optional.empty();
        }
        Cluster cluster = given.isPresent() ? given.get() : resolver.computed(role.isPresent());
        options.refuseChiefOf(cluster.workers().size());
        List<Member> members =
                role.isPresent() ? List.of(ofRole(role.get(), cluster, node)) : ofNode(cluster, strategy, node);
        return Optional.of(new NodeAssignment(cluster, strategy, role.isPresent(), members, true));
    }

    /** The role of this container; empty for a whole node. */
    private static Optional<Role> role(Options options, Node node, boolean hasLists) throws PlanException {
        Optional<Role> role = Role.ofContainer(node.role());
        if (options.chose(Options.ROLE) && role.isEmpty()) {
            throw PlanException.configuration(options.shape().orElseThrow().origin() + "=" + Options.ROLE + ", but "
                    + node.role()
                            .map(word -> "the platform calls this container " + Messages.quote(word))
                            .orElse("nobody says which role this container has")
                    + ". Only ps and worker are roles of this engine; give -o " + Options.SHAPE + "=" + Options.NODE
                    + " where the node is given whole");
        }
        // ModelArts also calls a whole node a worker. It is a role only if the job has ps too.
        boolean isRole = options.chose(Options.ROLE)
                || hasLists
                || role.equals(Optional.of(Role.PS))
                || node.hostsByRole().keySet().containsAll(List.of(Role.PS.word(), Role.WORKER.word()));
        return role.filter(known -> isRole && !options.chose(Options.NODE));
    }

    private static Member ofRole(Role role, Cluster cluster, Node node) throws PlanException {
        AddressList list = cluster.list(role);
        checkCount(list, role, node.count());
        return new Member(role, index(node, list, role));
    }

    private static List<Member> ofNode(Cluster cluster, Strategy strategy, Node node) throws PlanException {
        checkLengths(cluster, strategy, node.count());
        Member worker = new Member(Role.WORKER, index(node, cluster.workers(), Role.WORKER));
        if (!strategy.hasPs()) {
            return List.of(worker);
        }
        Member ps = new Member(Role.PS, worker.index());
        checkPorts(cluster, ps, worker);
        return List.of(ps, worker);
    }

    /**
     * A platform may count the containers of this role or of all roles, but never fewer. If it counts only one, its index
     * means nothing, and every container would take itself for the first of the list.
     */
    private static void checkCount(AddressList list, Role role, OptionalInt count) throws PlanException {
        if (count.isPresent() && count.getAsInt() < list.size()) {
            throw PlanException.configuration(
                    "the job has " + nodes(count.getAsInt()) + ", but " + list.origin() + " has "
                            + entries(list.size()) + ", and every " + role.word()
                            + " has a container of its own. Correct the list, or give --nodes " + list.size()
                            + " and --node-index I");
        }
    }

    private static void checkLengths(Cluster cluster, Strategy strategy, OptionalInt count) throws PlanException {
        int nodes = count.orElse(cluster.workers().size());
        List<AddressList> lists = new ArrayList<>(List.of(cluster.workers()));
        if (strategy.hasPs()) {
            lists.add(cluster.ps());
        }
        for (AddressList list : lists) {
            if (list.size() != nodes) {
                throw PlanException.configuration(list.origin() + " has " + entries(list.size()) + ", but "
                        + (count.isPresent()
                                ? "the job has " + nodes(nodes)
                                : cluster.workers().origin() + " has " + entries(nodes))
                        + ": each node has one ps and one worker. Correct the lists, or give -o " + Options.SHAPE + "="
                        + Options.ROLE + " where every container is one role");
            }
        }
    }

    /** Refuses equal ports of ps and worker, whatever their hosts: TensorFlow listens on every address of the machine. */
    private static void checkPorts(Cluster cluster, Member ps, Member worker) throws PlanException {
        Endpoint first = cluster.at(ps);
        Endpoint second = cluster.at(worker);
        if (first.port().isPresent() && first.port().equals(second.port())) {
            throw PlanException.configuration(
                    ps.id() + " (" + first.label() + ") and " + worker.id() + " (" + second.label()
                            + ") run on this node and cannot both listen on port "
                            + first.port().getAsInt()
                            + ". Give them different ports in " + cluster.ps().origin() + " and "
                            + cluster.workers().origin());
        }
    }

    private static int index(Node node, AddressList list, Role role) throws PlanException {
        int size = list.size();
        String what = Messages.count(size, role) + " (" + list.origin() + ")";
        if (node.index().isEmpty() && size != 1) {
            throw PlanException.configuration("nobody says which of the " + what
                    + " this node is. Give --nodes N and --node-index I, the same N on all nodes");
        }
        int index = node.index().orElse(0);
        if (index >= size) {
            throw PlanException.configuration("this node has index " + index + ", but there "
                    + (size == 1 ? "is only " : "are only ") + what + ": the indices are 0.." + (size - 1)
                    + ". Correct the lists or the index");
        }
        return index;
    }

    private static String nodes(int number) {
        return number + (number == 1 ? " node" : " nodes");
    }

    private static String entries(int number) {
        return number + (number == 1 ? " entry" : " entries");
    }
}
