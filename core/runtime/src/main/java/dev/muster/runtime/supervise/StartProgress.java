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
 * Tells the user which hosts a process still waits for. Ends the job when this node has only waited for ports for too long. Only the event
 * loop uses it.
 */
final class StartProgress {

    /** The user sees no line about a shorter wait. */
    private static final Duration QUIET = Duration.ofSeconds(1);

    private static final long PAUSE = QUIET.toNanos();

    private static final int MOST_NAMED = 3;

    private final AttemptState state;
    private final Duration limit;
    private final Map<SupervisedProcess, List<Condition>> awaited = new LinkedHashMap<>();
    private Optional<Waiting> waiting = Optional.empty();
    /** Since when this node only waits. */
    private OptionalLong idleSince = OptionalLong.empty();

    StartProgress(AttemptState state) {
        this.state = state;
        this.limit = state.times().portTimeout();
        for (SupervisedProcess process : state.processes().all()) {
            List<Condition> hosts = Conditions.ofHosts(process.spec().startWhen());
            if (!hosts.isEmpty()) {
                awaited.put(process, hosts);
            }
        }
    }

    /**
     * Tells the user which processes wait for which hosts.
     *
     * @return the cause that ends the job if the wait took too long
     */
    Optional<Cause> check() {
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
        waiting.get().report(this::missing);
        return overdue();
    }

    /**
     * The cause that ends the job if a task waits for ports for too long, and no task runs. A wait for processes of other launchers does
     * not count: the link tells how those are.
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

    /** When to call {@link #check} again. */
    OptionalLong nextCheck() {
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
