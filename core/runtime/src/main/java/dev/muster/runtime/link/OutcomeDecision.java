package dev.muster.runtime.link;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Decides which cause ended the job. The first cause stops all launchers. After all have answered, or after a second, the cause that the
 * leader heard of first is final. A failure that is only a consequence of another comes after all others.
 */
final class OutcomeDecision {

    /** How long to wait for answers to the stop. */
    static final long ANSWERS = TimeUnit.SECONDS.toNanos(1);

    /** @param nanoTime when the leader learned of it or, on the leader's own node, when it happened */
    private record Cause(LocalEvent.Over over, long nanoTime) {}

    private final List<Cause> causes = new ArrayList<>();
    /** The launchers that must answer the stop. */
    private final List<MemberState> asked = new ArrayList<>();

    private LinkEvent.@Nullable Stop stop;
    private @Nullable JobEnd decided;
    private long deadline;
    private long decidedAt;

    /**
     * Adds a cause. Returns the stop if it is the first cause.
     *
     * @param when on the leader's clock
     * @param patience how much longer to wait for an earlier failure
     */
    Optional<LinkEvent.Stop> add(LocalEvent.Over over, long when, long now, long patience) {
        if (decided != null) {
            return Optional.empty();
        }
        causes.add(new Cause(over, when));
        if (stop != null) {
            deadline = over.isConsequence() ? deadline : Math.min(deadline, now + ANSWERS);
            return Optional.empty();
        }
        stop = new LinkEvent.Stop(over.end(), over.isConsequence());
        deadline = now + ANSWERS + patience;
        return Optional.of(stop);
    }

    /** The launcher must answer the stop. */
    void expectAnswer(MemberState member) {
        if (!member.hasAnswered()) {
            asked.add(member);
        }
    }

    /** Whether the cause can be chosen now and was not yet. */
    boolean canDecide(long now) {
        return stop != null
                && decided == null
                && (now - deadline >= 0 || asked.stream().allMatch(MemberState::hasAnswered));
    }

    /** The stop, for late launchers. */
    Optional<LinkEvent.Stop> stop() {
        return Optional.ofNullable(stop);
    }

    /** How the job ended for good. */
    Optional<JobEnd> decided() {
        return Optional.ofNullable(decided);
    }

    /** When it was decided. */
    long decidedAt() {
        return decidedAt;
    }

    boolean isEnding() {
        return stop != null || decided != null;
    }

    JobEnd decide(long now) {
        Cause first = causes.stream()
                .min(Comparator.comparing((Cause cause) -> cause.over().isConsequence())
                        .thenComparingLong(cause -> cause.nanoTime() - now))
                .orElseThrow();
        return decide(first.over().end(), now);
    }

    JobEnd decide(JobEnd end, long now) {
        decidedAt = now;
        decided = end;
        return end;
    }
}
