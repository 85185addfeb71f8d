package dev.muster.runtime.plan;

import dev.muster.runtime.conditions.Conditions;
import dev.muster.runtime.report.ProcessNames;
import dev.muster.runtime.text.Durations;
import dev.muster.spi.Condition;
import dev.muster.spi.EnvironmentChange;
import dev.muster.spi.Outcome;
import dev.muster.spi.ProcessSpec;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The processes of one plan for machines, and what decides how the job ended. */
record ProcessDocument(Display display, Duration grace) {

    private record Environment(Map<String, String> set, Set<String> remove) {}

    private record Ranks(String until) {}

    private record Stop(String signal, String grace, Optional<Ranks> ranks, Optional<String> neededUntil) {}

    private record CaseEntry(String when, int exitCode, String reason) {}

    Map<String, Object> of(ProcessSpec process) {
        Map<String, Object> entry = new LinkedHashMap<>();
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

    /** What only processes of its kind have. */
    private static void addOwn(Map<String, Object> fields, ProcessSpec process) {
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

    private static String phase(ProcessSpec.Phase phase) {
        return switch (phase) {
            case PROLOG -> "beforeTasks";
            case ON_STOP -> "onStop";
            case EPILOG -> "afterOutcome";
        };
    }

    private Environment environment(EnvironmentChange change) {
        Map<String, String> set = new LinkedHashMap<>();
        change.set().forEach((name, value) -> set.put(name, display.variable(name, value)));
        return new Environment(set, change.remove());
    }

    private Stop stop(ProcessSpec process) {
        Optional<Condition> until =
                process instanceof ProcessSpec.Service service ? service.neededUntil() : Optional.empty();
        return new Stop(
                "TERM",
                Durations.format(grace),
                process.hosted().map(ranks -> new Ranks(Conditions.describe(ranks.until()))),
                until.map(Conditions::describe));
    }

    static Map<String, Object> outcome(Outcome outcome) {
        Map<String, Object> entry = new LinkedHashMap<>();
        entry.put(
                "kind",
                outcome.followsLeader() ? "followsLeader" : outcome.cases().isEmpty() ? "allTasks" : "firstOf");
        List<CaseEntry> cases = outcome.cases().stream()
                .map(one -> new CaseEntry(Conditions.describe(one.when()), one.exitCode(), one.reason()))
                .toList();
        if (!cases.isEmpty()) {
            entry.put("cases", cases);
        }
        return entry;
    }
}
