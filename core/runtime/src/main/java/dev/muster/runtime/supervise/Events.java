package dev.muster.runtime.supervise;

import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** The way into the event loop: any thread posts, the loop alone takes. */
final class Events {

    private final LinkedBlockingQueue<Event> queue = new LinkedBlockingQueue<>();
    private final LongSupplier nanoClock;

    public Events(LongSupplier nanoClock) {
        this.nanoClock = nanoClock;
    }

    public void post(Event event) {
        queue.add(event);
    }

    /** Now, on the clock that all deadlines use; it never jumps. */
    public long now() {
        return nanoClock.getAsLong();
    }

    /** The next event; empty when the deadline comes first. Without a deadline it waits for an event. */
    Optional<Event> next(OptionalLong deadline) throws InterruptedException {
        if (deadline.isEmpty()) {
            return Optional.of(queue.take());
        }
        long wait = Math.max(0, deadline.getAsLong() - now());
        return Optional.ofNullable(queue.poll(wait, TimeUnit.NANOSECONDS));
    }

    /** An event that is there already. */
    Optional<Event> ready() {
        @Nullable Event event = queue.poll();
        return Optional.ofNullable(event);
    }
}
