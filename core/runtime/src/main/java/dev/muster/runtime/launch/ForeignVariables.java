package dev.muster.runtime.launch;

import dev.muster.spi.EnvironmentChange;
import dev.muster.spi.Launch;
import dev.muster.spi.LaunchPlan;
import dev.muster.spi.ProcessSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Keeps variables that a platform means for others away from all processes of a plan, but where the plan sets them. */
final class ForeignVariables {

    private ForeignVariables() {}

    static LaunchPlan removed(LaunchPlan plan, Set<String> names) {
        if (names.isEmpty()) {
            return plan;
        }
        List<ProcessSpec> processes = new ArrayList<>();
        for (ProcessSpec process : plan.processes()) {
            processes.add(process.withLaunch(removed(process.launch(), names)));
        }
        return plan.withProcesses(processes);
    }

    private static Launch removed(Launch launch, Set<String> names) {
        Set<String> remove = new TreeSet<>(names);
        remove.removeAll(launch.environment().set().keySet());
        remove.addAll(launch.environment().remove());
        EnvironmentChange change = EnvironmentChange.of(launch.environment().set(), remove);
        return new Launch(launch.command(), change, launch.workDirectory(), launch.logFile());
    }
}
