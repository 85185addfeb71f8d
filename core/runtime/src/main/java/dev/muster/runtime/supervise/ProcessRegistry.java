package dev.muster.runtime.supervise;

import dev.muster.runtime.report.ProcessReport;
import dev.muster.spi.LaunchPlan;
import dev.muster.spi.ProcessSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The processes of a plan, in its order. */
final class ProcessRegistry {

    private final Map<String, SupervisedProcess> processes = new LinkedHashMap<>();
    private final LaunchPlan plan;

    ProcessRegistry(LaunchPlan plan) {
        this.plan = plan;
        for (ProcessSpec spec : plan.processes()) {
            processes.put(spec.id(), new SupervisedProcess(spec));
        }
    }

    LaunchPlan plan() {
        return plan;
    }

    /** Empty for hosted ranks, which are not in the plan. */
    Optional<SupervisedProcess> find(String id) {
        return Optional.ofNullable(processes.get(id));
    }

    /** By its id at the native supervisor. */
    Optional<SupervisedProcess> findStarted(long id) {
        return processes.values().stream()
                .filter(process -> process.wasStarted() && process.processId() == id)
                .findFirst();
    }

    /** The processes that host ranks. */
    List<SupervisedProcess> hosts() {
        return all().stream()
                .filter(process -> process.spec().hosted().isPresent())
                .toList();
    }

    Collection<SupervisedProcess> all() {
        return processes.values();
    }

    List<SupervisedProcess> tasks() {
        return ofType(ProcessSpec.Task.class);
    }

    List<SupervisedProcess> services() {
        return ofType(ProcessSpec.Service.class);
    }

    List<SupervisedProcess> hooks(ProcessSpec.Phase when) {
        return ofType(ProcessSpec.Hook.class).stream()
                .filter(process -> process.spec() instanceof ProcessSpec.Hook hook && hook.phase() == when)
                .toList();
    }

    List<ProcessSpec> running() {
        return processes.values().stream()
                .filter(SupervisedProcess::isRunning)
                .map(SupervisedProcess::spec)
                .toList();
    }

    /** Hooks do not count: those after the outcome wait for the outcome. */
    boolean allHaveEnded() {
        return all().stream().allMatch(process -> process.hasEnded() || process.spec() instanceof ProcessSpec.Hook);
    }

    boolean allTasksHaveEnded() {
        return tasks().stream().allMatch(SupervisedProcess::hasEnded);
    }

    /** @param now the time of the verdict, on the clock of all events */
    List<ProcessReport> reports(long now) {
        return processes.values().stream().map(process -> report(process, now)).toList();
    }

    /** From the first start to the last end. */
    Duration duration() {
        List<SupervisedProcess> ran = new ArrayList<>(processes.values());
        ran.removeIf(process -> !process.wasStarted() || !process.hasEnded());
        long first = ran.stream().mapToLong(SupervisedProcess::startedAt).min().orElse(0);
        long last = ran.stream().mapToLong(SupervisedProcess::endedAt).max().orElse(first);
        return Duration.ofNanos(last - first);
    }

    /** From the first start until now. */
    Optional<Duration> durationUntil(long now) {
        return processes.values().stream()
                .filter(SupervisedProcess::wasStarted)
                .map(SupervisedProcess::startedAt)
                .min(Comparator.naturalOrder())
                .map(first -> Duration.ofNanos(now - first));
    }

    private List<SupervisedProcess> ofType(Class<? extends ProcessSpec> type) {
        return processes.values().stream()
                .filter(process -> type.isInstance(process.spec()))
                .toList();
    }

    private static ProcessReport report(SupervisedProcess process, long now) {
        long until = process.hasEnded() ? process.endedAt() : now;
        Duration ran = process.wasStarted() ? Duration.ofNanos(until - process.startedAt()) : Duration.ZERO;
        return new ProcessReport(
                process.spec(),
                process.pid(),
                Optional.ofNullable(process.termination()),
                process.endedByUs(),
                process.isHarmless(),
                ran,
                process.hasEnded() ? Duration.ofNanos(now - process.endedAt()) : Duration.ZERO,
                false,
                process.use());
    }
}
