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
 * The card faults that the platform lists for the ranks of this node. A listed fault ends the attempt. A rank may fail before the platform
 * lists the fault of its card. So, while such a list exists, a failure of a rank is held back for a moment. Only the event loop uses it.
 */
final class CardFaults {

    /** How long the platform may take, after a rank failed, to list the fault of its card. */
    private static final Duration FOR_THE_LIST = Duration.ofSeconds(10);

    private final Optional<ResetFile> file;
    private final AttemptState state;
    private ResetFile.@Nullable Seen seen;
    private @Nullable Held held;
    private String told = "";

    /** A failure that is held back, since a card fault may be its cause. */
    private record Held(Cause.ProcessFailed cause, long when, long since) {}

    CardFaults(AttemptState state) {
        this.state = state;
        this.file = state.effects().resetFile();
    }

    /** The {@link FaultWatch} has read another state of the list. */
    void onListRead(ResetFile.Seen look) {
        if (!look.problem().isEmpty() && !look.problem().equals(told)) {
            told = look.problem();
            state.say("warning: " + file.orElseThrow().subject() + " " + told + "; no faults are taken from it");
        }
        seen = look;
    }

    /** The listed fault of this node's ranks as the cause of the attempt's end. */
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

    /** Whether this failure is held back until the platform may have listed its fault. While one is held, all later causes are dropped. */
    boolean hold(Cause cause, long when) {
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

    /** Whether the wait of the held failure is over: a fault is listed, or the time is up. */
    boolean isOver() {
        return held != null && (cause().isPresent() || state.now() - held.since >= FOR_THE_LIST.toNanos());
    }

    /** When to ask {@link #isOver} again if no event comes. */
    OptionalLong nextCheck() {
        return held == null ? OptionalLong.empty() : OptionalLong.of(held.since + FOR_THE_LIST.toNanos());
    }

    /**
     * Reports the failure that is held back.
     *
     * @param end gets the cause and its time: the listed fault, or else the held failure
     */
    void release(ObjLongConsumer<Cause> end) {
        Held first = held;
        held = null;
        if (first != null) {
            end.accept(cause().orElse(first.cause), first.when);
        }
    }
}
