package dev.muster.runtime.supervise;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** The queue of the event loop. Any thread posts. Only the event loop takes, in order of event time, not of arrival. */
final class Events {

    /** At equal times the end of a process comes before the condition that it makes true. */
    private static final Comparator<Event> IN_TIME = (one, other) -> {
        int order = Long.compare(one.nanoTime(), other.nanoTime());
        return order == 0 ? Boolean.compare(isConditionMet(one), isConditionMet(other)) : order;
    };

    private final LinkedBlockingQueue<Event> queue = new LinkedBlockingQueue<>();
    private final List<Event> taken = new ArrayList<>();
    private final LongSupplier nanoClock;

    public Events(LongSupplier nanoClock) {
        this.nanoClock = nanoClock;
    }

    private static boolean isConditionMet(Event event) {
        return event instanceof Event.ConditionMet;
    }

    public void post(Event event) {
        queue.add(event);
    }

    /** Now, on the monotonic clock that all deadlines use. */
    public long now() {
        return nanoClock.getAsLong();
    }

    /** Waits for the oldest event; empty: the deadline came first. Without a deadline it waits for ever. */
    Optional<Event> next(OptionalLong deadline) throws InterruptedException {
        if (taken.isEmpty() && queue.isEmpty()) {
            @Nullable Event event = deadline.isEmpty()
                    ? queue.take()
                    : queue.poll(Math.max(0, deadline.getAsLong() - now()), TimeUnit.NANOSECONDS);
            if (event != null) {
                taken.add(event);
            }
        }
        return ready();
    }

    /** The oldest event that is there already; does not wait. */
    Optional<Event> ready() {
        queue.drainTo(taken);
        taken.sort(IN_TIME);
        return taken.isEmpty() ? Optional.empty() : Optional.of(taken.remove(0));
    }
}
