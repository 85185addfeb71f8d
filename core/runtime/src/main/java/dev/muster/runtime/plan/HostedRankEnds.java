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
 * Names for the ends of hosted ranks, in a stop: one process, such as mpirun, may host ranks on several nodes. To other launchers these
 * names look like processes of a plan. Each launcher reports the end of its own ranks. The leader also reports the end of all.
 */
public final class HostedRankEnds {

    /** The ranks of a launcher's node. No process of a plan has this name. */
    public static final String OWN_RANKS = "#ranks";

    /** The ranks of all nodes; only the leader reports them. */
    public static final String ALL_RANKS = "#ranks-of-all";

    private HostedRankEnds() {}

    /** The reports from other launchers, besides its own ranks' end, after which no rank of the job runs; empty: none are needed. */
    public static Optional<Condition> othersEnded(LaunchPlan plan) {
        SortedSet<String> others = watched(plan);
        return others.isEmpty() ? Optional.empty() : Optional.of(Condition.exited(others));
    }

    /** The same, as names of processes of other launchers. */
    public static SortedSet<String> watched(LaunchPlan plan) {
        boolean spansNodes = plan.processes().stream()
                .flatMap(process -> process.hosted().stream())
                .anyMatch(ranks -> ranks.until().kind() != Condition.Kind.IMMEDIATELY);
        return plan.launchers()
                .filter(launchers -> spansNodes)
                .map(HostedRankEnds::watched)
                .orElseGet(TreeSet::new);
    }

    private static SortedSet<String> watched(LauncherNodes launchers) {
        if (!launchers.leads()) {
            return new TreeSet<>(Set.of(LauncherNodes.processOf(ALL_RANKS, launchers.leader())));
        }
        return launchers.all().stream()
                .map(LauncherNodes.Peer::name)
                .filter(name -> !name.equals(launchers.own()))
                .map(name -> LauncherNodes.processOf(OWN_RANKS, name))
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
