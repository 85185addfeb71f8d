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
            processes.add(removed(process, names));
        }
        return new LaunchPlan(
                plan.name(),
                plan.directories(),
                plan.files(),
                plan.ports(),
                processes,
                plan.outcome(),
                plan.notes(),
                plan.nodes());
    }

    private static ProcessSpec removed(ProcessSpec process, Set<String> names) {
        Launch launch = removed(process.launch(), names);
        if (process instanceof ProcessSpec.Task task) {
            return new ProcessSpec.Task(task.id(), launch, task.placement(), task.startWhen(), task.stop());
        }
        if (process instanceof ProcessSpec.Service service) {
            return new ProcessSpec.Service(
                    service.id(), launch, service.startWhen(), service.stopWhen(), service.mayEnd(), service.stop());
        }
        ProcessSpec.Step step = (ProcessSpec.Step) process;
        return new ProcessSpec.Step(
                step.id(), launch, step.phase(), step.startWhen(), step.deadline(), step.required(), step.stop());
    }

    private static Launch removed(Launch launch, Set<String> names) {
        Set<String> remove = new TreeSet<>(names);
        remove.removeAll(launch.environment().set().keySet());
        remove.addAll(launch.environment().remove());
        EnvironmentChange change = EnvironmentChange.of(launch.environment().set(), remove);
        return new Launch(launch.command(), change, launch.workDirectory(), launch.logFile());
    }
}
