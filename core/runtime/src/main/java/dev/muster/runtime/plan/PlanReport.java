package dev.muster.runtime.plan;

import dev.muster.runtime.config.Settings;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Everything that {@code muster plan} shows.
 *
 * @param engine the engine's id
 * @param platformReason why this platform was taken, for example {@code MA_VJ_NAME is set}
 * @param grace between TERM and KILL, for processes that do not say it themselves
 * @param nodes one, or all of the job in node order; not copied: the list may make each plan when it is read
 * @param settings as they are shown: secrets masked
 * @param activated the conda environment that the processes run in; empty: they run in the caller's environment
 */
public record PlanReport(
        String engine,
        String platformReason,
        Duration grace,
        List<NodePlan> nodes,
        List<Settings.Shown> settings,
        Optional<ActivatedEnvironment> activated) {}
