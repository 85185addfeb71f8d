package dev.muster.runtime.plan;

import dev.muster.spi.LaunchPlan;
import dev.muster.spi.RankInfo;
import java.util.List;

/** The ranks of a plan. */
public final class PlanRanks {

    private PlanRanks() {}

    /** The ranks of the plan's node, in the plan's order. */
    public static List<RankInfo> of(LaunchPlan plan) {
        return plan.processes().stream()
                .flatMap(process -> process.placement().stream())
                .toList();
    }

    /** How many ranks the job has; 0: the node has none. */
    public static int worldSize(LaunchPlan plan) {
        return of(plan).stream().mapToInt(RankInfo::worldSize).max().orElse(0);
    }
}
