package dev.muster.runtime.supervise;

import dev.muster.runtime.process.SignalNames;
import dev.muster.runtime.process.Termination;
import dev.muster.runtime.report.Cause;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * Finds the first of several failures. It is the process that was reaped first, with two exceptions. If that one only tells that another
 * process was gone, the first failure is the first process that tells of its own. A rank that raises may need seconds to end, while ranks
 * that lose their connection to it end sooner. So a running rank that has printed a traceback of its own is the first if it ends with a
 * code. Only the event loop uses it.
 */
final class FirstFailureResolver {

    /** How long to wait for more failures and for their output, which an orphan may hold open. */
    private static final long PATIENCE = Duration.ofMillis(200).toNanos();

    private static final long PAUSE = Duration.ofMillis(2).toNanos();
    /** At most so many outputs are read, since reading takes time. More of them tell nothing new. */
    private static final int MOST_READ = 64;

    private final ProcessRegistry processes;
    private final Effects effects;
    /** Failures that are not reported yet, in their order. */
    private final List<SupervisedProcess> pending = new ArrayList<>();
    /** Which of these only tell that another process was gone. Computed after all output is read, and kept during the wait. */
    private final Map<SupervisedProcess, Boolean> consequences = new HashMap<>();
    /** Processes that still run and may have failed before. */
    private final Set<SupervisedProcess> suspects = new HashSet<>();

    private long pendingSince;

    FirstFailureResolver(AttemptState state) {
        this.processes = state.processes();
        this.effects = state.effects();
    }

    /**
     * A process has failed; others may fail at the same time.
     *
     * @param now when the launcher learned of it
     */
    void add(SupervisedProcess process, long now) {
        pendingSince = pending.isEmpty() ? now : pendingSince;
        pending.add(process);
    }

    boolean isPending() {
        return !pending.isEmpty();
    }

    /** Whether all output of the failures is read and one is a failure of its own, or the time is up. */
    boolean canResolve(long now) {
        return now - pendingSince >= PATIENCE
                || (pending.stream().allMatch(failed -> effects.isRead(failed.spec()))
                        && ownFailure().isPresent());
    }

    private Optional<SupervisedProcess> ownFailure() {
        return pending.stream()
                .limit(MOST_READ)
                .filter(failed -> !consequences.computeIfAbsent(failed, this::isConsequence))
                .findFirst();
    }

    /** When to ask {@link #canResolve} again if no event comes. */
    static long nextCheck(long now) {
        return now + PAUSE;
    }

    /** The first of the unreported failures. There must be one. */
    SupervisedProcess resolve() {
        SupervisedProcess first = ownFailure().orElse(pending.get(0));
        pending.clear();
        consequences.clear();
        return first;
    }

    /** Whether the cause is a process that failed only because another was gone. */
    boolean isConsequence(Cause cause) {
        return cause instanceof Cause.ProcessFailed known
                && processes
                        .find(known.process().id())
                        .filter(SupervisedProcess::hasEnded)
                        .filter(this::isConsequence)
                        .isPresent();
    }

    private boolean isConsequence(SupervisedProcess failed) {
        return effects.isConsequence(failed.spec(), Objects.requireNonNull(failed.termination()));
    }

    /** Searches for running ranks that may have failed before. Called when the end is known, before the ranks are stopped. */
    Set<SupervisedProcess> search() {
        processes.tasks().stream()
                .filter(SupervisedProcess::isRunning)
                .filter(task -> effects.hasOwnTraceback(task.spec()))
                .forEach(suspects::add);
        return suspects;
    }

    /** Whether a rank still runs that may have failed before. */
    boolean isSearching() {
        return !suspects.isEmpty();
    }

    /** Whether this ended process failed before the failure that was taken for the first. */
    boolean isEarlier(SupervisedProcess ended) {
        Termination how = Objects.requireNonNull(ended.termination());
        boolean isOwnCode =
                !how.isSuccess() && !how.isBySigterm() && how.signal().orElse(0) != SignalNames.KILL;
        // If it hosts ranks, the output may be that of a later rank which lost the others.
        boolean saysMore = ended.spec().hosted().isPresent();
        return suspects.remove(ended) && isOwnCode && (saysMore || !isConsequence(ended));
    }

    /** Ends the search. */
    void endSearch() {
        suspects.clear();
    }
}
