package dev.muster.runtime.plan;

import dev.muster.spi.Condition;
import dev.muster.spi.LaunchPlan;
import dev.muster.spi.LauncherNodes;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;

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
        SortedSet<String> others = watched(plan);
        return others.isEmpty() ? Optional.empty() : Optional.of(Condition.exited(others));
    }

    /** The same, as processes of other launchers. */
    public static SortedSet<String> watched(LaunchPlan plan) {
        boolean spansNodes = plan.processes().stream()
                .flatMap(process -> process.hosted().stream())
                .anyMatch(ranks -> ranks.until().kind() != Condition.Kind.IMMEDIATELY);
        return plan.launchers()
                .filter(launchers -> spansNodes)
                .map(HostedEnds::watched)
                .orElseGet(TreeSet::new);
    }

    private static SortedSet<String> watched(LauncherNodes launchers) {
        if (!launchers.leads()) {
            return new TreeSet<>(Set.of(LauncherNodes.processOf(ALL, launchers.leader())));
        }
        return launchers.all().stream()
                .map(LauncherNodes.Peer::name)
                .filter(name -> !name.equals(launchers.own()))
                .map(name -> LauncherNodes.processOf(OWN, name))
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
