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

/** Changes what the processes of a plan find in their environments. What the plan itself says of a variable holds. */
final class ProcessEnvironments {

    /** Python would keep up to 8 KB of what it writes to a pipe, and a SIGKILL would lose them. */
    static final String UNBUFFERED = "PYTHONUNBUFFERED";

    private ProcessEnvironments() {}

    /** The plan shows whether Python holds its output back. */
    static LaunchPlan withBuffering(LaunchPlan plan, Map<String, String> environment) {
        String inherited = environment.get(UNBUFFERED);
        return inherited == null ? plan : with(plan, Map.of(UNBUFFERED, inherited));
    }

    /** Keeps variables that a platform means for others away from all processes, but where the plan sets them. */
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

    /** Sets variables for all that serves ranks; hooks do not. */
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
