package dev.muster.runtime.plan;

import dev.muster.runtime.conditions.Conditions;
import dev.muster.runtime.text.Durations;
import dev.muster.spi.EnvironmentChange;
import dev.muster.spi.Placement;
import dev.muster.spi.ProcessSpec;
import dev.muster.spi.StopMethod;
import dev.muster.spi.Value;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The processes of one plan as JSON. */
final class ProcessJson {

    private final Display display;
    private final Duration grace;

    ProcessJson(Display display, Duration grace) {
        this.display = display;
        this.grace = grace;
    }

    List<Object> processes(List<ProcessSpec> processes) {
        List<Object> entries = new ArrayList<>(processes.size());
        for (ProcessSpec process : processes) {
            entries.add(process(process));
        }
        return entries;
    }

    private Map<String, @Nullable Object> process(ProcessSpec process) {
        Map<String, @Nullable Object> entry = new LinkedHashMap<>();
        entry.put("id", process.id());
        putKind(entry, process);
        entry.put("command", display.command(process.launch().command()));
        entry.put("environment", environment(process.launch().environment()));
        entry.put("workDirectory", process.launch().workDirectory());
        entry.put("logFile", process.launch().logFile());
        entry.put("startWhen", Conditions.describe(process.startWhen()));
        if (process instanceof ProcessSpec.Service service) {
            entry.put("stopWhen", Conditions.describe(service.stopWhen()));
        }
        entry.put("stop", stop(process.stop()));
        return entry;
    }

    private static void putKind(Map<String, @Nullable Object> entry, ProcessSpec process) {
        if (process instanceof ProcessSpec.Task task) {
            entry.put("kind", "task");
            if (task.placement().isPresent()) {
                Placement placement = task.placement().get();
                entry.put("rank", placement.rank());
                entry.put("localRank", placement.localRank());
                entry.put("worldSize", placement.worldSize());
            }
        } else if (process instanceof ProcessSpec.Service service) {
            entry.put("kind", "service");
            entry.put("mayEnd", service.mayEnd());
        } else if (process instanceof ProcessSpec.Step step) {
            entry.put("kind", "step");
            entry.put("phase", phase(step.phase()));
            entry.put("deadline", Durations.format(step.deadline()));
            entry.put("required", step.required());
        }
    }

    private static String phase(ProcessSpec.Phase phase) {
        return switch (phase) {
            case BEFORE_TASKS -> "beforeTasks";
            case ON_STOP -> "onStop";
            case AFTER_OUTCOME -> "afterOutcome";
        };
    }

    private Map<String, @Nullable Object> environment(EnvironmentChange change) {
        Map<String, @Nullable Object> set = new LinkedHashMap<>();
        for (Map.Entry<String, Value> variable : change.set().entrySet()) {
            set.put(variable.getKey(), display.variable(variable.getKey(), variable.getValue()));
        }
        Map<String, @Nullable Object> environment = new LinkedHashMap<>();
        environment.put("set", set);
        environment.put("remove", List.copyOf(change.remove()));
        return environment;
    }

    private Map<String, @Nullable Object> stop(StopMethod method) {
        Map<String, @Nullable Object> stop = new LinkedHashMap<>();
        stop.put("signal", method.signal());
        stop.put("grace", Durations.format(method.grace().orElse(grace)));
        method.first().ifPresent(forerunners -> {
            Map<String, @Nullable Object> first = new LinkedHashMap<>();
            first.put("variables", List.copyOf(forerunners.variables()));
            first.put("afterwards", Conditions.describe(forerunners.afterwards()));
            stop.put("first", first);
        });
        return stop;
    }
}
