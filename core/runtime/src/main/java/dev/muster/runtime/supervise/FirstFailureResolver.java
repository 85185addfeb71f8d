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
 * Finds out which of several failures was the first. That is the one that was reaped first; where it only tells that another was gone, and
 * others have ended before anybody was told, the first of these that tells of a failure of its own. A rank that raises may need seconds to
 * end, and others that lose their connections to it end sooner: so a rank that still runs when a failure is heard of, and has printed a
 * traceback of its own, is the first when it ends with a code. Only the event loop touches it.
 */
final class FirstFailureResolver {

    /** For words, as somebody who was left behind may hold an output open, and for the end of who has more to say. */
    private static final long PATIENCE = Duration.ofMillis(200).toNanos();

    private static final long PAUSE = Duration.ofMillis(2).toNanos();
    /** It takes time to read so much; of more that fail at once, words tell no more. */
    private static final int MOST_READ = 64;

    private final ProcessRegistry processes;
    private final Effects effects;
    /** Failures that nobody has been told of, in their order. */
    private final List<SupervisedProcess> fresh = new ArrayList<>();
    /** Which of these only tell that another was gone; asked when all is read, and kept while others are waited for. */
    private final Map<SupervisedProcess, Boolean> consequences = new HashMap<>();
    /** Who runs and may have failed before. */
    private final Set<SupervisedProcess> suspects = new HashSet<>();

    private long freshSince;

    FirstFailureResolver(AttemptState state) {
        this.processes = state.processes();
        this.effects = state.effects();
    }

    /**
     * A process has failed, and others may have at the same time.
     *
     * @param now when that was heard of
     */
    void failed(SupervisedProcess process, long now) {
        freshSince = fresh.isEmpty() ? now : freshSince;
        fresh.add(process);
    }

    boolean isPending() {
        return !fresh.isEmpty();
    }

    /** Whether it is known what they have said, and one of them tells of a failure of its own. */
    boolean areKnown(long now) {
        return now - freshSince >= PATIENCE
                || (fresh.stream().allMatch(failed -> effects.isRead(failed.spec()))
                        && ownFailure().isPresent());
    }

    private Optional<SupervisedProcess> ownFailure() {
        return fresh.stream()
                .limit(MOST_READ)
                .filter(failed -> !consequences.computeIfAbsent(failed, this::isConsequence))
                .findFirst();
    }

    /** When {@link #areKnown} must be asked again even if nothing happens. */
    static long nextLook(long now) {
        return now + PAUSE;
    }

    /** The first of the failures that nobody has been told of. There is one. */
    SupervisedProcess first() {
        SupervisedProcess first = ownFailure().orElse(fresh.get(0));
        fresh.clear();
        consequences.clear();
        return first;
    }

    /** Whether what ends the job is a failure of a process only because another was gone. */
    boolean isConsequence(Cause cause) {
        return cause instanceof Cause.ProcessFailed known
                && processes
                        .find(known.process().id())
                        .filter(SupervisedProcess::hasEnded)
                        .filter(this::isConsequence)
                        .isPresent();
    }

    /** Whether a process has failed only because another was gone. */
    private boolean isConsequence(SupervisedProcess failed) {
        return effects.isConsequence(failed.spec(), Objects.requireNonNull(failed.termination()));
    }

    /** The end of the job is known, and is not yet told to those who run: who of them may have failed before is looked for. */
    Set<SupervisedProcess> search() {
        processes.tasks().stream()
                .filter(SupervisedProcess::isRunning)
                .filter(task -> effects.hasOwnTraceback(task.spec()))
                .forEach(suspects::add);
        return suspects;
    }

    /** Whether somebody runs who may have failed before. */
    boolean isSearching() {
        return !suspects.isEmpty();
    }

    /** Whether a process that has ended had failed before what was taken for the first failure. */
    boolean isEarlier(SupervisedProcess ended) {
        Termination how = Objects.requireNonNull(ended.termination());
        boolean isOwnCode =
                !how.isSuccess() && !how.isBySigterm() && how.signal().orElse(0) != SignalNames.KILL;
        // Of those that a process hosts, a later one may have said that others were gone.
        boolean saysMore = ended.spec().hosted().isPresent();
        return suspects.remove(ended) && isOwnCode && (saysMore || !isConsequence(ended));
    }

    /** It is known. */
    void end() {
        suspects.clear();
    }
}
