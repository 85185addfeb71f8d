package dev.muster.runtime.supervise;

import dev.muster.runtime.errors.ExitCode;
import dev.muster.runtime.inputs.ResetFile;
import dev.muster.runtime.report.Cause;
import dev.muster.runtime.text.Durations;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.ObjLongConsumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What the platform says of the cards of this node's ranks. A fault that it lists ends the run; since a rank may notice it sooner than
 * the platform says so, a rank that fails is no cause yet while a list is there to be asked. Only the event loop touches it.
 */
final class CardFaults {

    /** How long after a rank's failure the platform may take to list the fault that was behind it. */
    private static final Duration FOR_THE_LIST = Duration.ofSeconds(10);

    private final Optional<ResetFile> file;
    private final AttemptState state;
    private ResetFile.@Nullable Seen seen;
    private @Nullable Held held;
    private String told = "";

    /** A failure that is not believed yet to be all. */
    private record Held(Cause.ProcessFailed cause, long when, long since) {}

    CardFaults(AttemptState state) {
        this.state = state;
        this.file = state.effects().resetFile();
    }

    /** Somebody has looked. */
    void heard(ResetFile.Seen look) {
        if (!look.problem().isEmpty() && !look.problem().equals(told)) {
            told = look.problem();
            state.say("warning: " + file.orElseThrow().subject() + " " + told + "; no faults are taken from it");
        }
        seen = look;
    }

    /** The fault of a rank of this node, as what ends the run. */
    Optional<Cause> cause() {
        SortedSet<Integer> faulty = new TreeSet<>();
        if (seen != null && seen.isComplete()) {
            faulty.addAll(seen.faulty());
            faulty.retainAll(ranks());
        }
        return faulty.isEmpty()
                ? Optional.empty()
                : Optional.of(new Cause.Decided(
                        ExitCode.TEMPORARY.code(),
                        "the platform lists a fault of " + (faulty.size() == 1 ? "rank " : "ranks ")
                                + faulty.stream().map(String::valueOf).collect(Collectors.joining(",")) + " in "
                                + file.orElseThrow().path(),
                        faulty));
    }

    private List<Integer> ranks() {
        return state.processes().tasks().stream()
                .flatMap(task -> task.spec().placement().stream())
                .map(placement -> placement.rank())
                .toList();
    }

    /** Whether a failure is kept until the platform may have said what was behind it. A later one is no more than that. */
    boolean holds(Cause cause, long when) {
        if (held != null) {
            return true;
        }
        boolean isAsked = seen != null && (seen.isThere() || !seen.problem().isEmpty());
        if (isAsked
                && cause instanceof Cause.ProcessFailed failed
                && failed.process().placement().isPresent()
                && failed.termination().startProblem().isEmpty()) {
            held = new Held(failed, when, state.now());
            state.say("rank " + failed.process().placement().get().rank() + " (pid " + failed.pid() + ") failed: "
                    + failed.termination().describe() + "; looking up to " + Durations.format(FOR_THE_LIST)
                    + " whether " + file.orElseThrow().path() + " lists a fault of its card");
            return true;
        }
        return false;
    }

    boolean isHolding() {
        return held != null;
    }

    /** Whether nothing more is to be found out about the failure that is kept. */
    boolean isOver() {
        return held != null && (cause().isPresent() || state.now() - held.since >= FOR_THE_LIST.toNanos());
    }

    /** When {@link #isOver} must be asked again even if nothing is heard. */
    OptionalLong nextLook() {
        return held == null ? OptionalLong.empty() : OptionalLong.of(held.since + FOR_THE_LIST.toNanos());
    }

    /**
     * Lets go of the failure that is kept.
     *
     * @param end gets what ends the run, and when it happened: the failure that was kept, unless a fault was behind it
     */
    void release(ObjLongConsumer<Cause> end) {
        Held first = held;
        held = null;
        if (first != null) {
            end.accept(cause().orElse(first.cause), first.when);
        }
    }
}
