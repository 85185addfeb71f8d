package dev.muster.runtime.supervise;

import dev.muster.runtime.conditions.Conditions;
import dev.muster.runtime.errors.ExitCode;
import dev.muster.runtime.output.WaitReporter.Waiting;
import dev.muster.runtime.report.Cause;
import dev.muster.runtime.report.ProcessNames;
import dev.muster.runtime.text.Durations;
import dev.muster.spi.Condition;
import dev.muster.spi.ProcessSpec;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Collectors;

/**
 * Tells the user which hosts a process still waits for, and how long a node that does nothing else waits for their ports. Only the
 * event loop touches it.
 */
final class StartProgress {

    /** Hosts that are there so soon need no words. */
    private static final Duration QUIET = Duration.ofSeconds(1);

    private static final long PAUSE = QUIET.toNanos();

    private static final int MOST_NAMED = 3;

    private final AttemptState state;
    private final Duration limit;
    private final Map<SupervisedProcess, List<Condition>> awaited = new LinkedHashMap<>();
    private Optional<Waiting> waiting = Optional.empty();
    /** Since when nothing has happened here but waiting. */
    private OptionalLong idleSince = OptionalLong.empty();

    StartProgress(AttemptState state) {
        this.state = state;
        this.limit = state.times().forPorts();
        for (SupervisedProcess process : state.processes().all()) {
            List<Condition> hosts = Conditions.ofHosts(process.spec().startWhen());
            if (!hosts.isEmpty()) {
                awaited.put(process, hosts);
            }
        }
    }

    /**
     * Shows who still waits for whom.
     *
     * @return what ends the job, as somebody has waited for too long
     */
    Optional<Cause> look() {
        awaited.keySet().removeIf(process -> !process.isWaiting());
        boolean isAnythingMissing = awaited.values().stream()
                .flatMap(List::stream)
                .anyMatch(host -> !state.conditions().isMet(host));
        if (!isAnythingMissing) {
            return Optional.empty();
        }
        if (waiting.isEmpty()) {
            waiting = Optional.of(state.waitQuietFor(QUIET));
        }
        waiting.get().lasts(this::missing);
        return overdue();
    }

    /**
     * What ends the job where a task, and all that this node does, waits for ports, and for longer than it may. The processes of
     * others are no such wait: the link tells how they fare.
     */
    private Optional<Cause> overdue() {
        List<Condition> closed = awaited.entrySet().stream()
                .filter(entry -> !(entry.getKey().spec() instanceof ProcessSpec.Hook))
                .flatMap(entry -> entry.getValue().stream())
                .filter(host -> host.kind() == Condition.Kind.PORT_OPEN
                        && !state.conditions().isMet(host))
                .distinct()
                .toList();
        List<SupervisedProcess> tasks = state.processes().tasks();
        boolean isIdle = tasks.stream().anyMatch(SupervisedProcess::isWaiting)
                && tasks.stream().noneMatch(SupervisedProcess::isRunning);
        if (closed.isEmpty() || !isIdle) {
            idleSince = OptionalLong.empty();
            return Optional.empty();
        }
        long since = idleSince.orElse(state.now());
        idleSince = OptionalLong.of(since);
        return state.now() - since < limit.toNanos() ? Optional.empty() : Optional.of(tooLong(closed));
    }

    private Cause tooLong(List<Condition> closed) {
        List<String> first = closed.stream()
                .limit(MOST_NAMED)
                .map(state.conditions()::reason)
                .toList();
        int more = closed.size() - first.size();
        return new Cause.Decided(
                ExitCode.TEMPORARY.code(),
                String.join("; ", first) + (more == 0 ? "" : "; and " + more + " more") + " (waited "
                        + Durations.format(limit) + "). Look there, or wait longer with --input-timeout");
    }

    /** When {@link #look} should be called again. */
    OptionalLong nextLook() {
        return awaited.isEmpty() ? OptionalLong.empty() : OptionalLong.of(state.now() + PAUSE);
    }

    private String missing() {
        return awaited.entrySet().stream()
                .flatMap(entry -> lacking(entry.getKey(), entry.getValue()).stream())
                .collect(Collectors.joining("; "));
    }

    private Optional<String> lacking(SupervisedProcess process, List<Condition> hosts) {
        List<String> missing = hosts.stream()
                .filter(host -> !state.conditions().isMet(host))
                .map(state.conditions()::brief)
                .toList();
        int all = hosts.size();
        return missing.isEmpty()
                ? Optional.empty()
                : Optional.of(ProcessNames.of(process.spec()) + ": " + (all - missing.size()) + "/" + all
                        + " ready; waiting for " + Conditions.list(missing));
    }
}
