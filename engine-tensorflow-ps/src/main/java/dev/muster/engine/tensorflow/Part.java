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
record Part(Cluster cluster, Seat seat, Wishes wishes, boolean isWhole) {

    /**
     * The part by lists of addresses, given or computed; empty where this launcher runs no process of a cluster.
     *
     * @throws PlanException when lists, platform and options do not fit together
     */
    static Optional<Part> ofLists(KnownClusters known, JobSpec job, Node node, Wishes wishes) throws PlanException {
        Kind kind = wishes.kind();
        Optional<Cluster> given = known.given(job, kind);
        Optional<Role> role = Shape.role(wishes, node, given.isPresent());
        if (role.equals(Optional.of(Role.PS)) && !kind.hasPs()) {
            return Optional.empty();
        }
        if (role.isEmpty() && given.isEmpty() && isAlone(job, node, wishes)) {
            wishes.refuseChiefOf(1);
            return Optional.empty();
        }
        Cluster cluster = given.isPresent() ? given.get() : known.computed(job, node, kind, role.isPresent());
        wishes.refuseChiefOf(cluster.workers().size());
        Seat seat = role.isPresent() ? Seat.ofRole(role.get(), cluster, node) : Seat.ofNode(cluster, kind, node);
        return Optional.of(new Part(cluster, seat, wishes, true));
    }

    /** A platform that gives its only node no lists has nothing to tell about roles: ModelArts runs the command as it is. */
    private static boolean isAlone(JobSpec job, Node node, Wishes wishes) {
        return wishes.shape().isEmpty()
                && !job.platform().name().equals(PlatformContract.NONE.name())
                && ComputedLists.nodes(node) == 1;
    }
}
