package dev.muster.runtime.plan;

import dev.muster.spi.Condition;
import dev.muster.spi.LaunchPlan;
import dev.muster.spi.LauncherNodes;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * How launchers tell each other that ranks have ended which one process hosts on several nodes, in a stop: as if they were processes of
 * the plan. Each says so of its own; the one that leads also of those of all nodes, when all have.
 */
public final class HostedEnds {

    /** The ranks of a launcher's node. No process of a plan is called so. */
    public static final String OWN = "#ranks";

    /** The ranks of all nodes; only the launcher that leads knows. */
    public static final String ALL = "#ranks-of-all";

    private HostedEnds() {}

    /** What this launcher must hear of until no rank of the job runs, beside the end of its own; empty: nothing depends on others. */
    public static Optional<Condition> ofOthers(LaunchPlan plan) {
        return plan.launchers()
                .filter(launchers -> launchers.all().size() > 1 && spansNodes(plan))
                .map(launchers -> Condition.exited(watched(launchers)));
    }

    /** The same, as processes of other launchers. */
    public static SortedSet<String> watched(LaunchPlan plan) {
        return plan.launchers()
                .filter(launchers -> spansNodes(plan))
                .map(HostedEnds::watched)
                .orElseGet(TreeSet::new);
    }

    private static boolean spansNodes(LaunchPlan plan) {
        return plan.processes().stream()
                .flatMap(process -> process.hosted().stream())
                .anyMatch(ranks -> ranks.until().kind() != Condition.Kind.IMMEDIATELY);
    }

    private static NavigableSet<String> watched(LauncherNodes launchers) {
        NavigableSet<String> watched = new TreeSet<>();
        if (!launchers.leads()) {
            watched.add(LauncherNodes.processOf(ALL, launchers.leader()));
            return watched;
        }
        for (LauncherNodes.Peer peer : launchers.all()) {
            if (!peer.name().equals(launchers.own())) {
                watched.add(LauncherNodes.processOf(OWN, peer.name()));
            }
        }
        return watched;
    }
}
