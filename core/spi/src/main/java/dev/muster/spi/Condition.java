package dev.muster.spi;

import java.time.Duration;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Something that comes true, at most once, while a job runs. The runtime watches it; engines only name it.
 *
 * @since 0.1
 */
public sealed interface Condition {

    /** True from the beginning. */
    record Immediately() implements Condition {}

    /** Never true. */
    record Never() implements Condition {}

    /** A TCP port accepts connections. */
    record PortOpen(String host, int port) implements Condition {}

    /**
     * A TCP port that had been open has refused connections for a while. Silence (no answer at all) is not refusal.
     *
     * @param lasting how long it must stay closed
     */
    record PortClosed(String host, int port, Duration lasting) implements Condition {}

    /** A regular file exists and is not empty. */
    record FileReady(String path) implements Condition {}

    /** All these processes of the plan have ended, however. */
    record Exited(SortedSet<String> ids) implements Condition {
        public Exited {
            ids = java.util.Collections.unmodifiableSortedSet(new TreeSet<>(ids));
        }
    }

    /** All parts have come true. */
    record AllOf(List<Condition> parts) implements Condition {
        public AllOf {
            parts = List.copyOf(parts);
        }
    }

    /** One part has come true. */
    record AnyOf(List<Condition> parts) implements Condition {
        public AnyOf {
            parts = List.copyOf(parts);
        }
    }

    Condition IMMEDIATELY = new Immediately();
    Condition NEVER = new Never();
}
