package dev.muster.engine.tensorflow;

import dev.muster.spi.Node;
import dev.muster.spi.PlanException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;

/**
 * What of the cluster this node runs.
 *
 * @param isRole whether the node is a container of one role; else the node is given whole
 * @param members its processes, a ps first
 */
record NodeAssignment(boolean isRole, List<Member> members) {

    NodeAssignment {
        members = List.copyOf(members);
    }

    /** The assignment of a container that has one role. */
    static NodeAssignment ofRole(Role role, Cluster cluster, Node node) throws PlanException {
        AddressList list = cluster.list(role);
        checkCount(list, role, node.count());
        int index = index(node, list.size(), Messages.count(list.size(), role) + " (" + list.origin() + ")");
        return new NodeAssignment(true, List.of(new Member(role, index)));
    }

    /** The assignment of a node that is given whole. */
    static NodeAssignment ofNode(Cluster cluster, Strategy kind, Node node) throws PlanException {
        AddressList workers = cluster.workers();
        checkLengths(cluster, kind, node.count());
        int index = index(
                node, workers.size(), Messages.count(workers.size(), Role.WORKER) + " (" + workers.origin() + ")");
        Member worker = new Member(Role.WORKER, index);
        if (!kind.hasPs()) {
            return new NodeAssignment(false, List.of(worker));
        }
        Member ps = new Member(Role.PS, index);
        checkPorts(cluster, ps, worker);
        return new NodeAssignment(false, List.of(ps, worker));
    }

    /**
     * A platform may count the containers of this role or those of all roles, never fewer. Where it says that there is only
     * one, its index means nothing, and every container would take itself for the first of the list.
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

    private static void checkLengths(Cluster cluster, Strategy kind, OptionalInt count) throws PlanException {
        int nodes = count.orElse(cluster.workers().size());
        List<AddressList> lists = new ArrayList<>(List.of(cluster.workers()));
        if (kind.hasPs()) {
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

    /** TensorFlow listens on every address of the machine, so the host in the list makes no difference. */
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

    private static int index(Node node, int size, String what) throws PlanException {
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
