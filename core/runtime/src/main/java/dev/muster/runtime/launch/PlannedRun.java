package dev.muster.runtime.launch;

import dev.muster.runtime.config.OptionTable;
import dev.muster.runtime.config.Settings;
import dev.muster.runtime.inputs.Renewals;
import dev.muster.runtime.runs.RunCount;
import dev.muster.spi.LaunchPlan;
import dev.muster.spi.ProcessSpec;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Which run of the job a plan is made for.
 *
 * @param renewals where the job may have several: what each of them was planned with
 */
record PlannedRun(RunCount count, Optional<Renewals> renewals) {

    /** The first run of a job with these settings. */
    static PlannedRun first(Settings settings) {
        return new PlannedRun(countOf(settings), Optional.empty());
    }

    static RunCount countOf(Settings settings) {
        return RunCount.first(
                Integer.parseInt(settings.text(OptionTable.RESTARTS).orElseThrow()));
    }

    /** The variables that tell the job's processes; none where there are no restarts. */
    Map<String, String> variables() {
        if (count.limit() == 0) {
            return Map.of();
        }
        Map<String, String> variables = new TreeMap<>();
        variables.put(RunCount.VARIABLE, Integer.toString(count.run()));
        // What scripts for torchrun ask for.
        variables.put("TORCHELASTIC_RESTART_COUNT", Integer.toString(count.run() - 1));
        variables.put("TORCHELASTIC_MAX_RESTARTS", Integer.toString(count.limit()));
        return variables;
    }

    /** A plan that shows them too, where its processes inherit them. */
    LaunchPlan shown(LaunchPlan plan) {
        return ProcessEnvironments.with(plan, variables(), PlannedRun::isOfOneRun);
    }

    /** Steps serve no rank. */
    private static boolean isOfOneRun(ProcessSpec process) {
        return !(process instanceof ProcessSpec.Hook);
    }
}
