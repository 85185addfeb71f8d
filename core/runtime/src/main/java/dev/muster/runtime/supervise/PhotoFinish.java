package dev.muster.runtime.supervise;

import dev.muster.runtime.output.EndOfOutput;
import dev.muster.runtime.report.Verdict;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Predicate;

/**
 * Finds the first of several failures. On a busy machine the launcher may hear of an end long after it came, and of a later end
 * sooner. So when it hears of a failure, it looks who else has ended already; these are waited for, and compared by the ends of
 * their outputs, which the kernel keeps in order. Where somebody holds an output open, the times count at which the ends were
 * heard of. Whoever has not ended when the first failure is heard of, has ended later. Only the event loop touches it.
 */
final class PhotoFinish {

    /** On a machine that is busy indeed. */
    private static final long PATIENCE = Duration.ofMillis(500).toNanos();
    /** Somebody may hold an output open for ever. */
    private static final long PATIENCE_FOR_OUTPUT = Duration.ofMillis(200).toNanos();

    private static final long PAUSE = Duration.ofMillis(2).toNanos();
    /** It takes time to read so much; of more that fail at once, words tell no more. */
    private static final int MOST_READ = 64;
    /** Times at which ends were heard of say nothing when they are closer. */
    private static final long BLUR = Verdict.SAME_TIME.toNanos();

    private final Roster roster;
    private final Effects effects;
    private final Events clock;
    private final Predicate<Supervised> isFailure;
    private final List<Supervised> rivals = new ArrayList<>();
    private Optional<Supervised> heardFirst = Optional.empty();
    private long since;

    /** @param isFailure whether the end of a process, by itself, would end the job */
    PhotoFinish(Roster roster, Effects effects, Events clock, Predicate<Supervised> isFailure) {
        this.roster = roster;
        this.effects = effects;
        this.clock = clock;
        this.isFailure = isFailure;
    }

    /** A process has failed. Whether others have ended, too, and it is to be found out who was first. */
    boolean begins(Supervised failed) {
        for (Supervised other : roster.all()) {
            if (other.isRunning() && other.wasStarted() && effects.hasEnded(other.pid())) {
                rivals.add(other);
            }
        }
        if (rivals.isEmpty()) {
            return false;
        }
        heardFirst = Optional.of(failed);
        since = clock.now();
        return true;
    }

    boolean isOn() {
        return heardFirst.isPresent();
    }

    /** Whether all is known that will be. */
    boolean isOver() {
        long waited = clock.now() - since;
        boolean areHeard = rivals.stream().allMatch(Supervised::hasEnded);
        boolean areComparable = failures().stream()
                .allMatch(failed -> effects.endOfOutput(failed.spec()).isPresent());
        return waited >= PATIENCE || (areHeard && (areComparable || waited >= PATIENCE_FOR_OUTPUT));
    }

    /** When {@link #isOver} must be asked again even if nothing happens. */
    OptionalLong nextLook() {
        return isOn() ? OptionalLong.of(clock.now() + PAUSE) : OptionalLong.empty();
    }

    /** Ends it, with who was first. */
    Supervised end() {
        List<Supervised> failures = failures();
        Supervised first = first(causes(failures));
        // They had ended at the first look, whenever that was heard of.
        rivals.stream().filter(Supervised::hasEnded).forEach(rival -> rival.endedBefore(since));
        failures.stream().mapToLong(Supervised::endedAt).min().ifPresent(first::endedBefore);
        heardFirst = Optional.empty();
        rivals.clear();
        return first;
    }

    private Supervised first(List<Supervised> failures) {
        Supervised first = failures.get(0);
        for (Supervised other : failures.subList(1, failures.size())) {
            first = isBefore(other, first) ? other : first;
        }
        return first;
    }

    /** A program may take a while to end after it has failed, and others that miss it may be quicker: they are no cause. */
    private List<Supervised> causes(List<Supervised> failures) {
        if (failures.size() == 1 || failures.size() > MOST_READ) {
            return failures;
        }
        List<Supervised> causes = failures.stream()
                .filter(failed -> !effects.isConsequence(failed.spec(), Objects.requireNonNull(failed.termination())))
                .toList();
        return causes.isEmpty() ? failures : causes;
    }

    /** In the order of the times at which they were heard of. */
    private List<Supervised> failures() {
        List<Supervised> failures = new ArrayList<>();
        heardFirst.ifPresent(failures::add);
        rivals.stream().filter(Supervised::hasEnded).filter(isFailure).forEach(failures::add);
        failures.sort((one, other) -> Long.compare(one.endedAt() - other.endedAt(), 0));
        return failures;
    }

    private boolean isBefore(Supervised one, Supervised other) {
        Optional<EndOfOutput> end = effects.endOfOutput(one.spec());
        Optional<EndOfOutput> otherEnd = effects.endOfOutput(other.spec());
        long earlier = other.endedAt() - one.endedAt();
        if (end.isEmpty() || otherEnd.isEmpty()) {
            return earlier > 0;
        }
        if (end.get().isSurelyBefore(otherEnd.get()) || otherEnd.get().isSurelyBefore(end.get())) {
            return end.get().end() < otherEnd.get().end();
        }
        return Math.abs(earlier) >= BLUR
                ? earlier > 0
                : end.get().lastHeard() < otherEnd.get().lastHeard();
    }
}
