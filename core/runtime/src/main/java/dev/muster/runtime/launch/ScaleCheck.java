package dev.muster.runtime.launch;

import dev.muster.runtime.errors.MusterException;
import dev.muster.runtime.platform.Claim;
import dev.muster.runtime.platform.Site;
import dev.muster.spi.LaunchPlan;
import dev.muster.spi.Node;
import dev.muster.spi.Placement;
import dev.muster.spi.ProcessSpec;
import java.util.Optional;

/**
 * Refuses to boot a part of a job as if it were the whole: every node would train alone, and call that a success. It looks at the
 * plan, since some engines learn the size of the job from their inputs only.
 */
final class ScaleCheck {

    private ScaleCheck() {}

    /** @throws MusterException when something says that the job has more nodes than the plan */
    static void refuseLessThanTheJob(Site site, String engine, Node node, LaunchPlan plan) {
        int planned = nodes(node, plan);
        for (Claim claim : site.unheard()) {
            if (claim.contradicts(planned)) {
                throw MusterException.configuration(claim.text() + ", but engine " + engine + " would boot "
                        + (planned == 1 ? "this node alone" : "only " + planned + " nodes") + " (platform "
                        + site.platform().name()
                        + "). Give --nodes N --node-index I --hosts A,B,... on every node, or say"
                        + " --platform none (or --nodes 1) when this node is meant alone");
            }
        }
    }

    /** What the plan says, else what its ranks show, else what is known of the node. */
    private static int nodes(Node node, LaunchPlan plan) {
        if (plan.nodes().isPresent()) {
            return plan.nodes().getAsInt();
        }
        int ranks = 0;
        int worldSize = 0;
        for (ProcessSpec process : plan.processes()) {
            Optional<Placement> placement = process.placement();
            ranks += placement.isPresent() ? 1 : 0;
            worldSize = Math.max(worldSize, placement.map(Placement::worldSize).orElse(0));
        }
        int known = node.count().orElse(1);
        return worldSize > ranks ? Math.max(2, known) : known;
    }
}
