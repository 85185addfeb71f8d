package dev.muster.runtime.launch;

import dev.muster.runtime.config.OptionTable;
import dev.muster.runtime.config.Settings;
import dev.muster.runtime.inputs.Renewals;
import dev.muster.runtime.runs.RunCount;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Which run of the job a plan is made for.
 *
 * @param renewals where the job may have several: what each of them was planned with
 */
record PlannedRun(RunCount count, Optional<Renewals> renewals) {

    /** What every rank of a job reads that may have several runs; the others are those of torchrun's children. */
    private static final String NUMBER = "MUSTER_RUN";

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
        variables.put(NUMBER, Integer.toString(count.run()));
        variables.put("TORCHELASTIC_RESTART_COUNT", Integer.toString(count.run() - 1));
        variables.put("TORCHELASTIC_MAX_RESTARTS", Integer.toString(count.limit()));
        return variables;
    }
}
