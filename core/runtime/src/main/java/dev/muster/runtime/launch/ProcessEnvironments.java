package dev.muster.runtime.launch;

import dev.muster.spi.EnvironmentChange;
import dev.muster.spi.Launch;
import dev.muster.spi.LaunchPlan;
import dev.muster.spi.ProcessSpec;
import dev.muster.spi.Value;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/** Changes the environments of a plan's processes. A variable that the plan itself sets keeps its value. */
final class ProcessEnvironments {

    /** Without it Python keeps up to 8 KB of output to a pipe, and SIGKILL loses them. */
    static final String UNBUFFERED = "PYTHONUNBUFFERED";

    private ProcessEnvironments() {}

    /** Sets the inherited value in the plan, so that the plan shows it. */
    static LaunchPlan withBuffering(LaunchPlan plan, Map<String, String> environment) {
        String inherited = environment.get(UNBUFFERED);
        return inherited == null ? plan : with(plan, Map.of(UNBUFFERED, inherited));
    }

    /** Removes variables that the platform means for others, from all processes that do not set them. */
    static LaunchPlan without(LaunchPlan plan, Set<String> names) {
        return names.isEmpty()
                ? plan
                : changed(plan, process -> true, own -> {
                    Set<String> remove = new TreeSet<>(names);
                    remove.removeAll(own.set().keySet());
                    remove.addAll(own.remove());
                    return EnvironmentChange.of(own.set(), remove);
                });
    }

    /** Sets variables for ranks and services, not for hooks. */
    static LaunchPlan with(LaunchPlan plan, Map<String, String> variables) {
        return variables.isEmpty()
                ? plan
                : changed(plan, process -> !(process instanceof ProcessSpec.Hook), own -> {
                    Map<String, Value> set = new TreeMap<>(own.set());
                    variables.forEach((name, value) -> {
                        if (!own.remove().contains(name)) {
                            set.putIfAbsent(name, Value.of(value));
                        }
                    });
                    return EnvironmentChange.of(set, own.remove());
                });
    }

    private static LaunchPlan changed(
            LaunchPlan plan, Predicate<ProcessSpec> which, UnaryOperator<EnvironmentChange> change) {
        return plan.withProcesses(plan.processes().stream()
                .map(process -> which.test(process) ? changed(process, change) : process)
                .toList());
    }

    private static ProcessSpec changed(ProcessSpec process, UnaryOperator<EnvironmentChange> change) {
        Launch launch = process.launch();
        return process.withLaunch(new Launch(
                launch.command(), change.apply(launch.environment()), launch.workDirectory(), launch.logFile()));
    }
}
