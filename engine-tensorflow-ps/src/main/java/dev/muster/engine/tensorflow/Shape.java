package dev.muster.engine.tensorflow;

import dev.muster.spi.Node;
import dev.muster.spi.PlanException;
import java.util.Optional;

/** Whether the launcher sits in a container of one role, or on a node that is given whole. */
final class Shape {

    private Shape() {}

    /**
     * The role of this container; empty where the node is given whole.
     *
     * @param hasLists whether the addresses of the job's ps and workers are given
     * @throws PlanException when the container shall be one role and has none
     */
    static Optional<Role> role(Options options, Node node, boolean hasLists) throws PlanException {
        Optional<Role> role = Role.ofContainer(node.role());
        if (options.chose(Options.NODE)) {
            return Optional.empty();
        }
        if (options.chose(Options.ROLE)) {
            if (role.isEmpty()) {
                throw withoutRole(options, node);
            }
            return role;
        }
        boolean isPs = role.isPresent() && role.get() == Role.PS;
        // On whole nodes ModelArts calls every container a worker; only a job that has ps, too, means a role by it.
        return isPs || hasLists || hasBothRoles(node) ? role : Optional.empty();
    }

    private static boolean hasBothRoles(Node node) {
        return node.hostsByRole().containsKey(Role.PS.word())
                && node.hostsByRole().containsKey(Role.WORKER.word());
    }

    private static PlanException withoutRole(Options options, Node node) {
        String origin = options.shape().orElseThrow().origin();
        String what = node.role().isPresent()
                ? "the platform calls this container "
                        + Messages.quote(node.role().get())
                : "nobody says which role this container has";
        return PlanException.configuration(origin + "=" + Options.ROLE + ", but " + what
                + ". Only ps and worker are roles of this engine; give -o " + Options.SHAPE + "=" + Options.NODE
                + " where the node is given whole");
    }
}
