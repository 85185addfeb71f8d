package dev.muster.spi;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
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
     * A TCP port that had been open has refused connections for a while, or cannot be reached at all: no answer, no way to the
     * host, no address of it. Silence is not refusal: it may be a network that is gone for a moment.
     *
     * @param lasting for how long it must refuse connections, without a break
     * @param silent for how long it must not be open, whether it refuses or is silent; empty: silence means nothing
     */
    record PortClosed(String host, int port, Duration lasting, Optional<Duration> silent) implements Condition {

        /** A port that refuses connections; silence means nothing. */
        public PortClosed(String host, int port, Duration lasting) {
            this(host, port, lasting, Optional.empty());
        }
    }

    /** So much time has passed since the run of the plan began. */
    record Elapsed(Duration time) implements Condition {}

    /**
     * The first condition has come true while the other had not. Never true once the other has come true before, or at the
     * same moment.
     */
    record Before(Condition first, Condition other) implements Condition {}

    /** A regular file exists and is not empty. */
    record FileReady(String path) implements Condition {}

    /**
     * A file of this name in the run's {@linkplain Value.PrivateDirectory private directory} exists and is not empty.
     */
    record PrivateFileReady(String name) implements Condition {}

    /**
     * A command that only asks has ended with this code. It is run again and again, with short pauses, once {@code after} has
     * come true, until one of the conditions that share it holds or the outcome is known; a run takes ten seconds at most.
     * Conditions with the same command, host and port share its runs. The last line that it prints, to whichever stream, is the
     * reason why the condition is not met.
     *
     * @param command one element an argument, in the launcher's environment and directory; values must be known before
     *     anything starts
     * @param exitCode as a shell would give it
     * @param host whom the command asks, for the user
     * @param after a port that must be open first; empty: only the command knows how the host is reached
     */
    record CommandEnds(List<Value> command, int exitCode, String host, Optional<PortOpen> after) implements Condition {
        public CommandEnds {
            command = List.copyOf(command);
        }

        /** A command that asks a host whose port must be open first. */
        public CommandEnds(List<Value> command, int exitCode, PortOpen after) {
            this(command, exitCode, after.host(), Optional.of(after));
        }
    }

    /**
     * All these are ready: processes of the plan, or of other launchers' plans ({@link Launchers#processOf}). A task is when it
     * has been started, a service when its {@code readyWhen} holds.
     */
    record Ready(SortedSet<String> ids) implements Condition {
        public Ready {
            ids = java.util.Collections.unmodifiableSortedSet(new TreeSet<>(ids));
        }
    }

    /**
     * All these have ended, however: processes of the plan, or of other launchers' plans ({@link Launchers#processOf}). A
     * launcher that has left the job has no process any more.
     */
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
