package dev.muster.runtime.supervise;

import dev.muster.runtime.conditions.ConditionWatch;
import dev.muster.runtime.report.ProcessReport;
import dev.muster.spi.Condition;
import dev.muster.spi.LaunchPlan;
import dev.muster.spi.Outcome;
import dev.muster.spi.ProcessSpec;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The processes of a plan, in its order. */
final class Roster {

    private final Map<String, Supervised> processes = new LinkedHashMap<>();
    private final List<Supervised> tasks;
    private final List<Supervised> services;
    private final Optional<String> planName;

    @Inject
    Roster(LaunchPlan plan) {
        for (ProcessSpec spec : plan.processes()) {
            processes.put(spec.id(), new Supervised(spec));
        }
        planName = plan.name();
        tasks = ofType(ProcessSpec.Task.class);
        services = ofType(ProcessSpec.Service.class);
    }

    Optional<String> planName() {
        return planName;
    }

    Supervised get(String id) {
        Supervised process = processes.get(id);
        if (process == null) {
            throw new IllegalStateException("no process is called " + id);
        }
        return process;
    }

    /** Empty for ranks that processes of the plan host. */
    Optional<Supervised> find(String id) {
        return Optional.ofNullable(processes.get(id));
    }

    /** By the number that the supervisor knows it by. */
    Optional<Supervised> findStarted(long id) {
        return processes.values().stream()
                .filter(process -> process.wasStarted() && process.processId() == id)
                .findFirst();
    }

    /** Those that host ranks. */
    List<Supervised> hosts() {
        return all().stream()
                .filter(process -> process.spec().hosted().isPresent())
                .toList();
    }

    Collection<Supervised> all() {
        return processes.values();
    }

    List<Supervised> tasks() {
        return tasks;
    }

    List<Supervised> services() {
        return services;
    }

    List<Supervised> steps(ProcessSpec.Phase when) {
        return ofType(ProcessSpec.Hook.class).stream()
                .filter(process -> process.spec() instanceof ProcessSpec.Hook step && step.phase() == when)
                .toList();
    }

    List<ProcessSpec> running() {
        return processes.values().stream()
                .filter(Supervised::isRunning)
                .map(Supervised::spec)
                .toList();
    }

    /** Watches what starts processes, from when on they serve, and what decides the job. */
    ConditionWatch watch(Outcome outcome, Events events) {
        List<Condition> watched = new ArrayList<>();
        all().forEach(process -> watched.addAll(conditionsOf(process.spec())));
        watched.addAll(Judge.conditions(outcome));
        return new ConditionWatch(watched, events::now, (met, when) -> events.post(new Event.ConditionMet(met, when)));
    }

    static List<Condition> conditionsOf(ProcessSpec process) {
        List<Condition> conditions = new ArrayList<>(List.of(process.startWhen()));
        if (process instanceof ProcessSpec.Service service) {
            conditions.add(service.readyWhen());
            service.neededUntil().ifPresent(conditions::add);
        }
        process.hosted().ifPresent(ranks -> conditions.add(ranks.until()));
        return conditions;
    }

    /** Steps do not count: those after the outcome wait for it. */
    boolean allHaveEnded() {
        return all().stream().allMatch(process -> process.hasEnded() || process.spec() instanceof ProcessSpec.Hook);
    }

    boolean allTasksHaveEnded() {
        return tasks().stream().allMatch(Supervised::hasEnded);
    }

    /** @param now the time of the verdict, on the clock of all events */
    List<ProcessReport> reports(long now) {
        return processes.values().stream().map(process -> report(process, now)).toList();
    }

    /** From the first start to the last end. */
    Duration duration() {
        List<Supervised> ran = new ArrayList<>(processes.values());
        ran.removeIf(process -> !process.wasStarted() || !process.hasEnded());
        long first = ran.stream().mapToLong(Supervised::startedAt).min().orElse(0);
        long last = ran.stream().mapToLong(Supervised::endedAt).max().orElse(first);
        return Duration.ofNanos(last - first);
    }

    /** From the first start until now. */
    Duration durationUntil(long now) {
        long first = processes.values().stream()
                .filter(Supervised::wasStarted)
                .mapToLong(Supervised::startedAt)
                .min()
                .orElse(now);
        return Duration.ofNanos(now - first);
    }

    private List<Supervised> ofType(Class<? extends ProcessSpec> type) {
        return processes.values().stream()
                .filter(process -> type.isInstance(process.spec()))
                .toList();
    }

    private static ProcessReport report(Supervised process, long now) {
        long until = process.hasEnded() ? process.endedAt() : now;
        Duration ran = process.wasStarted() ? Duration.ofNanos(until - process.startedAt()) : Duration.ZERO;
        return new ProcessReport(
                process.spec(),
                process.pid(),
                Optional.ofNullable(process.termination()),
                process.endedByUs(),
                process.isForgiven(),
                ran,
                process.hasEnded() ? Duration.ofNanos(now - process.endedAt()) : Duration.ZERO);
    }
}
