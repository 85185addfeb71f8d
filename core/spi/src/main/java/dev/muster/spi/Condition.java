package dev.muster.spi;

import java.util.SortedSet;
import org.jspecify.annotations.Nullable;

/**
 * Something that comes true, at most once, while a job runs. The runtime watches it; engines only name it.
 *
 * @since 0.1
 */
public sealed interface Condition {

    Condition IMMEDIATELY = new Immediately();

    /** What this becomes, by its kind. */
    <T> T fold(Cases<T> cases);

    /** True from the beginning. */
    record Immediately() implements Condition {

        @Override
        public <T> T fold(Cases<T> cases) {
            return cases.immediately(this);
        }

        // Written out, as every plan has one: the JDK would make these two at run time, which takes milliseconds of
        // each start.
        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Immediately;
        }

        @Override
        public int hashCode() {
            return 1;
        }
    }

    /** A TCP port accepts connections. */
    record PortOpen(String host, int port) implements Condition {

        @Override
        public <T> T fold(Cases<T> cases) {
            return cases.portOpen(this);
        }
    }

    /**
     * All these are ready: processes of the plan, or of other launchers' plans ({@link LauncherNodes#processOf}). A task is when it
     * has been started, a service when its {@code readyWhen} holds.
     */
    record Ready(SortedSet<String> ids) implements Condition {
        public Ready {
            ids = Sorted.set(ids);
        }

        @Override
        public <T> T fold(Cases<T> cases) {
            return cases.ready(this);
        }
    }

    /**
     * All these have ended, however: processes of the plan, or of other launchers' plans ({@link LauncherNodes#processOf}). A
     * launcher that has left the job has no process any more.
     */
    record Exited(SortedSet<String> ids) implements Condition {
        public Exited {
            ids = Sorted.set(ids);
        }

        @Override
        public <T> T fold(Cases<T> cases) {
            return cases.exited(this);
        }
    }

    /**
     * What becomes of each kind of condition. A new kind is a method more, so that nobody forgets it.
     *
     * @param <T> what it becomes
     */
    interface Cases<T> {

        T immediately(Immediately immediately);

        T portOpen(PortOpen portOpen);

        T ready(Ready ready);

        T exited(Exited exited);
    }
}
