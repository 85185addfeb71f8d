package dev.muster.runtime.link;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * How the job ends: the first cause stops everybody, and when all have said what they know, or a second has passed, the cause
 * that was first in time is the job's for good. A failure that is only the consequence of another comes after all others.
 */
final class Fate {

    /** For answers to the stop. */
    static final long ANSWERS = TimeUnit.SECONDS.toNanos(1);

    /**
     * Something that ends the job.
     *
     * @param nanoTime when the leader learned of it, or when it happened on the leader's own node
     */
    private record Cause(Said.Over over, long nanoTime) {}

    private final List<Cause> causes = new ArrayList<>();
    private final Set<String> unanswered = new HashSet<>();
    private Order.@Nullable Stop stop;
    private Order.@Nullable Decided decided;
    private long deadline;
    private long decidedAt;

    /**
     * Something that ends the job happened, at a time of this launcher's clock. Gives the stop when it is the first.
     *
     * @param patience how much longer than usual an earlier failure may take to become known
     */
    Optional<Order.Stop> add(Said.Over over, Seat seat, long now, long patience) {
        if (decided != null) {
            return Optional.empty();
        }
        causes.add(new Cause(over, seat.here(over.nanoTime(), now)));
        if (stop != null) {
            deadline = over.isConsequence() ? deadline : Math.min(deadline, now + ANSWERS);
            return Optional.empty();
        }
        stop = new Order.Stop(over.end(), over.isConsequence(), seat.here(over.nanoTime(), now));
        deadline = now + ANSWERS + patience;
        return Optional.of(stop);
    }

    /** The launcher must answer the stop. */
    void await(Seat seat) {
        if (!seat.hasAnswered()) {
            unanswered.add(seat.name());
        }
    }

    void answered(Seat seat) {
        unanswered.remove(seat.name());
    }

    /** Whether a cause can be chosen, and was not. */
    boolean isRipe(long now) {
        return stop != null && decided == null && (unanswered.isEmpty() || now - deadline >= 0);
    }

    /** The stop, for those who come late. */
    Optional<Order.Stop> stop() {
        return Optional.ofNullable(stop);
    }

    Optional<Order.Decided> decided() {
        return Optional.ofNullable(decided);
    }

    /** When it was decided. */
    long decidedAt() {
        return decidedAt;
    }

    boolean isEnding() {
        return stop != null || decided != null;
    }

    Order.Decided succeed(JobEnd success, long now) {
        return decide(success, now);
    }

    Order.Decided decide(long now) {
        Cause first = causes.stream()
                .min(Comparator.comparing((Cause cause) -> cause.over().isConsequence())
                        .thenComparingLong(cause -> cause.nanoTime() - now))
                .orElseThrow();
        return decide(first.over().end(), now);
    }

    private Order.Decided decide(JobEnd end, long now) {
        decidedAt = now;
        decided = new Order.Decided(end);
        return decided;
    }
}
