package dev.muster.runtime.plan;

import dev.muster.runtime.conditions.Conditions;
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
        entry.putAll(process.fold(new Kind()));
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

    /** What a process is, and what only its kind has. */
    private static final class Kind implements ProcessSpec.Cases<Map<String, @Nullable Object>> {

        @Override
        public Map<String, @Nullable Object> task(ProcessSpec.Task task) {
            Map<String, @Nullable Object> fields = named("task");
            task.placement().ifPresent(placement -> {
                fields.put("rank", placement.rank());
                fields.put("localRank", placement.localRank());
                fields.put("worldSize", placement.worldSize());
            });
            return fields;
        }

        @Override
        public Map<String, @Nullable Object> service(ProcessSpec.Service service) {
            Map<String, @Nullable Object> fields = named("service");
            fields.put("mayEnd", service.mayEnd());
            service.kept().ifPresent(kept -> fields.put("keptWith", List.copyOf(kept.files())));
            return fields;
        }

        @Override
        public Map<String, @Nullable Object> hook(ProcessSpec.Hook step) {
            Map<String, @Nullable Object> fields = named("step");
            fields.put("phase", phase(step.phase()));
            fields.put("deadline", Durations.format(step.deadline()));
            fields.put("required", step.required());
            return fields;
        }

        private static Map<String, @Nullable Object> named(String kind) {
            Map<String, @Nullable Object> fields = new LinkedHashMap<>();
            fields.put("kind", kind);
            return fields;
        }
    }
}
