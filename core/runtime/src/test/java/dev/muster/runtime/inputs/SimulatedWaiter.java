package dev.muster.runtime.inputs;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;

/** Simulated time. It passes only during waits, and events happen at given times. */
final class SimulatedWaiter {

    final List<Duration> pauses = new ArrayList<>();

    private final SortedMap<Duration, Event> events = new TreeMap<>();
    private Duration now = Duration.ofDays(-200);
    private final Duration start = now;

    interface Event {
        void happen() throws Exception;
    }

    SimulatedWaiter after(Duration delay, Event event) {
        events.put(start.plus(delay), event);
        return this;
    }

    Duration elapsed() {
        return now.minus(start);
    }

    WaitContext waiter() {
        return new WaitContext(this::nanoTime, this::goOnAfter, what -> {});
    }

    long nanoTime() {
        return now.toNanos();
    }

    private boolean goOnAfter(Duration pause) {
        pauses.add(pause);
        now = now.plus(pause);
        while (!events.isEmpty() && events.firstKey().compareTo(now) <= 0) {
            try {
                Objects.requireNonNull(events.remove(events.firstKey())).happen();
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        }
        return true;
    }
}
