package dev.muster.runtime.supervise;

import dev.muster.runtime.process.SignalNames;
import dev.muster.runtime.process.Termination;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * Finds out which of several failures was the first. That is the one that was reaped first; of those that were reaped together, the first
 * that tells of a failure of its own. A rank that raises may need seconds to end, and others that lose their connections to it end sooner:
 * so a rank that still runs when a failure is heard of, and has printed a traceback of its own, is the first when it ends with a code. Only
 * the event loop touches it.
 */
final class FirstFailureResolver {

    private final Roster roster;
    private final Effects effects;
    /** Failures that nobody has been told of, in their order. */
    private final List<Supervised> fresh = new ArrayList<>();
    /** Who runs and may have failed before. */
    private final Set<Supervised> suspects = new HashSet<>();

    FirstFailureResolver(Roster roster, Effects effects) {
        this.roster = roster;
        this.effects = effects;
    }

    /** A process has failed, and others may have at the same time. */
    void failed(Supervised process) {
        fresh.add(process);
    }

    boolean isPending() {
        return !fresh.isEmpty();
    }

    /** The first of the failures that nobody has been told of. There is one. */
    Supervised first() {
        Supervised first = fresh.get(0);
        long round = first.round();
        Supervised known = fresh.stream()
                .filter(failed -> failed.round() == round && !isConsequence(failed))
                .findFirst()
                .orElse(first);
        fresh.clear();
        return known;
    }

    /** Whether a process has failed only because another was gone. */
    boolean isConsequence(Supervised failed) {
        return effects.isConsequence(failed.spec(), Objects.requireNonNull(failed.termination()));
    }

    /** The end of the job is known, and is not yet told to those who run: who of them may have failed before is looked for. */
    void search() {
        roster.tasks().stream()
                .filter(Supervised::isRunning)
                .filter(task -> effects.hasOwnTraceback(task.spec()))
                .forEach(suspects::add);
    }

    /** Whether somebody runs who may have failed before. */
    boolean isSearching() {
        return !suspects.isEmpty();
    }

    /** Whether a process that has ended had failed before what was taken for the first failure. */
    boolean isEarlier(Supervised ended) {
        Termination how = Objects.requireNonNull(ended.termination());
        boolean isOwnCode =
                !how.isSuccess() && !how.isBySigterm() && how.signal().orElse(0) != SignalNames.KILL;
        return suspects.remove(ended) && isOwnCode;
    }

    /** It is known. */
    void end() {
        suspects.clear();
    }
}
