package dev.muster.runtime.launch;

import dev.muster.runtime.config.OptionTable;
import dev.muster.runtime.config.Setting;
import dev.muster.runtime.errors.MusterException;
import dev.muster.runtime.plan.PlanRanks;
import dev.muster.runtime.platform.Claim;
import dev.muster.runtime.platform.ResolvedJob;
import dev.muster.spi.LaunchPlan;
import dev.muster.spi.Node;
import dev.muster.spi.Note;
import java.util.List;
import java.util.Optional;

/**
 * Refuses a plan that has fewer nodes than the job: each node would train alone, and report a success. It looks at the plan, since some
 * engines learn the number of nodes from their inputs only.
 */
final class ScaleCheck {

    private ScaleCheck() {}

    /** @throws MusterException when a sign says that the job has more nodes than the plan */
    static void requireAllNodes(ResolvedJob resolved, String engine, Node node, LaunchPlan plan) {
        int planned = nodes(node, plan);
        for (Claim claim : resolved.unusedSigns()) {
            if (claim.contradicts(planned)) {
                throw MusterException.configuration(
                        claim.text() + ", but " + countOfOne(resolved, planned) + "engine " + engine + " would boot "
                                + (planned == 1 ? "this node alone" : "only " + planned + " nodes") + " (platform "
                                + resolved.platform().name()
                                + "). Give --nodes N --node-index I --hosts A,B,... on every node, or say"
                                + " --platform none (or --nodes 1) when this node is meant alone");
            }
        }
    }

    /** The plan, with warnings for doubtful signs that the job has more nodes. Only the user knows. */
    static LaunchPlan withWarnings(ResolvedJob resolved, Node node, LaunchPlan plan) {
        int planned = nodes(node, plan);
        List<Note> doubts = resolved.unusedSigns().stream()
                .filter(claim -> claim.isDoubtOf(planned))
                .map(claim -> Note.warning("this node runs alone, as node 0 of 1"
                        + count(resolved).map(origin -> " (" + origin + ")").orElse("") + ", although " + claim.text()
                        + ". Give --nodes N and --node-index I, or --nodes 1 when that is right"))
                .toList();
        return doubts.isEmpty() ? plan : plan.toBuilder().notes(doubts).build();
    }

    /** Names the setting that says there is one node, since the user must correct it, too. */
    private static String countOfOne(ResolvedJob resolved, int planned) {
        Optional<String> origin = planned == 1 ? count(resolved) : Optional.empty();
        return origin.map(name -> name + " says 1, and ").orElse("");
    }

    private static Optional<String> count(ResolvedJob resolved) {
        return resolved.settings().find(OptionTable.NODES).map(Setting::origin);
    }

    /** The number of nodes by the plan, else by its ranks, else by what is known of the node. */
    private static int nodes(Node node, LaunchPlan plan) {
        int known = node.count().orElse(1);
        boolean areMore = PlanRanks.worldSize(plan) > PlanRanks.of(plan).size();
        return plan.nodes().orElse(areMore ? Math.max(2, known) : known);
    }
}
