package dev.muster.runtime.plan;

import dev.muster.runtime.conditions.Conditions;
import dev.muster.runtime.report.ProcessNames;
import dev.muster.runtime.text.Durations;
import dev.muster.spi.Condition;
import dev.muster.spi.EnvironmentChange;
import dev.muster.spi.ProcessSpec;
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
        entry.put("kind", ProcessNames.kind(process));
        addOwn(entry, process);
        entry.put("command", display.command(process.launch().command()));
        entry.put("environment", environment(process.launch().environment()));
        entry.put("workDirectory", process.launch().workDirectory());
        entry.put("logFile", process.launch().logFile());
        entry.put("startWhen", Conditions.describe(process.startWhen()));
        if (process instanceof ProcessSpec.Service service
                && !service.readyWhen().equals(Condition.IMMEDIATELY)) {
            entry.put("readyWhen", Conditions.describe(service.readyWhen()));
        }
        entry.put("stop", stop(process));
        return entry;
    }

    private static String phase(ProcessSpec.Phase phase) {
        return switch (phase) {
            case PROLOG -> "beforeTasks";
            case ON_STOP -> "onStop";
            case EPILOG -> "afterOutcome";
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

    private Map<String, @Nullable Object> stop(ProcessSpec process) {
        Map<String, @Nullable Object> stop = new LinkedHashMap<>();
        stop.put("signal", "TERM");
        stop.put("grace", Durations.format(grace));
        process.hosted().ifPresent(ranks -> {
            Map<String, @Nullable Object> hosted = new LinkedHashMap<>();
            hosted.put("passed", List.copyOf(ranks.passed()));
            hosted.put("left", List.copyOf(ranks.left()));
            hosted.put("until", Conditions.describe(ranks.until()));
            stop.put("ranks", hosted);
        });
        if (process instanceof ProcessSpec.Service service) {
            service.neededUntil().ifPresent(condition -> stop.put("neededUntil", Conditions.describe(condition)));
        }
        return stop;
    }

    /** What only processes of its kind have. */
    private static void addOwn(Map<String, @Nullable Object> fields, ProcessSpec process) {
        process.placement().ifPresent(placement -> {
            fields.put("rank", placement.rank());
            fields.put("localRank", placement.localRank());
            fields.put("worldSize", placement.worldSize());
        });
        if (process instanceof ProcessSpec.Service service) {
            fields.put("mayEnd", service.mayEnd());
        }
        if (process instanceof ProcessSpec.Hook hook) {
            fields.put("phase", phase(hook.phase()));
            fields.put("deadline", Durations.format(hook.deadline()));
            fields.put("required", hook.required());
        }
    }
}
