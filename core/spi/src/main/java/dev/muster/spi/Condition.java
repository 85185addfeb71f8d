package dev.muster.spi;

import java.util.Collection;
import java.util.Collections;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Something that comes true, at most once, while a job runs. The engine names the condition; the runtime watches it.
 *
 * @param kind what is watched
 * @param ids processes of the plan, or of other launchers' plans ({@link LauncherNodes#processOf}); empty for a port
 * @param host where the port is; empty for processes
 * @param port 1..65535; 0 for processes
 * @since 0.1
 */
@Stability(stable = true)
public record Condition(Kind kind, SortedSet<String> ids, String host, int port) {

    /** True from the beginning. */
    public static final Condition IMMEDIATELY = new Condition(Kind.IMMEDIATELY, new TreeSet<>(), "", 0);

    /** What a condition watches. */
    public enum Kind {
        /** Nothing: it is true from the beginning. */
        IMMEDIATELY,
        /** A TCP port accepts connections. */
        PORT_OPEN,
        /** All processes are ready. A task is ready when it has been started, a service when its {@code readyWhen} holds. */
        READY,
        /** All processes have ended, with success or not. When a launcher has left the job, all its processes have ended. */
        EXITED
    }

    public Condition {
        ids = Collections.unmodifiableSortedSet(new TreeSet<>(ids));
    }

    /** A TCP port accepts connections. */
    public static Condition portOpen(String host, int port) {
        return new Condition(Kind.PORT_OPEN, new TreeSet<>(), host, port);
    }

    /** All these processes are ready. */
    public static Condition ready(Collection<String> ids) {
        return new Condition(Kind.READY, new TreeSet<>(ids), "", 0);
    }

    /** All these processes have ended. */
    public static Condition exited(Collection<String> ids) {
        return new Condition(Kind.EXITED, new TreeSet<>(ids), "", 0);
    }
}
