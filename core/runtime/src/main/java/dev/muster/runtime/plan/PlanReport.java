package dev.muster.runtime.plan;

import java.time.Duration;
import java.util.List;

/**
 * Everything that a dry run shows.
 *
 * @param engine the engine's id
 * @param platformReason why this platform was taken, for example {@code MA_VJ_NAME is set}
 * @param grace between TERM and KILL, for processes that do not say it themselves
 * @param nodes one, or all of the job in node order
 * @param settings empty: not shown
 */
public record PlanReport(
        String engine, String platformReason, Duration grace, List<NodePlan> nodes, List<Setting> settings) {

    public PlanReport {
        nodes = List.copyOf(nodes);
        settings = List.copyOf(settings);
    }
}
