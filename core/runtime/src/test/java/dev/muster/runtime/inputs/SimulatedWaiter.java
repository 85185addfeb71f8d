package dev.muster.runtime.inputs;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;

/** Time that passes only when somebody waits, and things that happen meanwhile. */
final class SimulatedWaiter {

    final List<Duration> pauses = new ArrayList<>();

    private final SortedMap<Duration, Event> events = new TreeMap<>();
    private Duration now = Duration.ofDays(-200);
    private final Duration start = now;
    private Duration stop = Duration.ofDays(10_000);

    /** Something that happens. */
    interface Event {
        void happen() throws Exception;
    }

    SimulatedWaiter after(Duration delay, Event event) {
        events.put(start.plus(delay), event);
        return this;
    }

    SimulatedWaiter stoppedAfter(Duration delay) {
        stop = start.plus(delay);
        return this;
    }

    Duration elapsed() {
        return now.minus(start);
    }

    Waiter waiter() {
        return new Waiter(this::nanoTime, this::goOnAfter, what -> {});
    }

    long nanoTime() {
        return now.toNanos();
    }

    private boolean goOnAfter(Duration pause) {
        pauses.add(pause);
        Duration end = now.plus(pause);
        now = end.compareTo(stop) < 0 ? end : stop;
        while (!events.isEmpty() && events.firstKey().compareTo(now) <= 0) {
            try {
                Objects.requireNonNull(events.remove(events.firstKey())).happen();
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        }
        return now.compareTo(stop) < 0;
    }
}
