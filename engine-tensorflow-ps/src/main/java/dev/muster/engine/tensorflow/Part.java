package dev.muster.engine.tensorflow;

import dev.muster.spi.JobSpec;
import dev.muster.spi.Node;
import dev.muster.spi.PlanException;
import dev.muster.spi.PlatformContract;
import java.util.Optional;

/**
 * The part of a job that this launcher has.
 *
 * @param isWhole whether the cluster has all processes of the job; else they may come and go
 */
record Part(Cluster cluster, NodeAssignment assignment, Options options, boolean isWhole) {

    /**
     * The part by lists of addresses, given or computed; empty where this launcher runs no process of a cluster.
     *
     * @throws PlanException when lists, platform and options do not fit together
     */
    static Optional<Part> ofLists(JobSpec job, Node node, Options options) throws PlanException {
        Strategy kind = options.kind();
        Optional<Cluster> given = GivenLists.read(job, kind);
        Optional<Role> role = Shape.role(options, node, given.isPresent());
        if (role.equals(Optional.of(Role.PS)) && !kind.hasPs()) {
            return Optional.empty();
        }
        if (role.isEmpty() && given.isEmpty() && isAlone(job, node, options)) {
            options.refuseChiefOf(1);
            return Optional.empty();
        }
        Cluster cluster = given.isPresent() ? given.get() : computed(new ComputedLists(job, node, kind), role);
        options.refuseChiefOf(cluster.workers().size());
        NodeAssignment assignment = role.isPresent()
                ? NodeAssignment.ofRole(role.get(), cluster, node)
                : NodeAssignment.ofNode(cluster, kind, node);
        return Optional.of(new Part(cluster, assignment, options, true));
    }

    private static Cluster computed(ComputedLists lists, Optional<Role> role) throws PlanException {
        return role.isPresent() ? lists.forRoles() : lists.forNodes();
    }

    /** A platform that gives its only node no lists has nothing to tell about roles: ModelArts runs the command as it is. */
    private static boolean isAlone(JobSpec job, Node node, Options options) {
        return options.shape().isEmpty()
                && !job.platform().name().equals(PlatformContract.NONE.name())
                && ComputedLists.nodes(node) == 1;
    }
}
