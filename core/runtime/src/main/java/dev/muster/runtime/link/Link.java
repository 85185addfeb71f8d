package dev.muster.runtime.link;

import dev.muster.spi.Host;
import dev.muster.spi.LauncherNodes;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * This launcher's end of the link. Any thread may call it, and calls return at once. The default methods are for a launcher without others.
 */
public interface Link extends AutoCloseable {

    /** For a launcher without others, or with {@code --link off}. */
    Link NONE = new Link() {};

    /**
     * Opens the link of a job in the background. Its thread is a daemon.
     *
     * @param nanoClock this launcher's {@link System#nanoTime()}; called by any thread
     * @param say gets lines for the user, on the link's thread
     * @param warn gets warnings for the user
     */
    static Link open(LinkSettings settings, LongSupplier nanoClock, Consumer<String> say, Consumer<String> warn) {
        return LinkThread.start(
                settings, settings.launchers().leads() ? Leader::new : Member::new, nanoClock, new LinkLog(say, warn));
    }

    /** Sends an event to the others. It is kept until it can be sent. */
    default void send(LocalEvent said) {}

    /** Sets the listener, which gets one event at a time. It first gets the events that are kept. It replaces the listener before. */
    default void listen(Consumer<LinkEvent> listener) {}

    /** All launchers of the job; empty: there are no others. */
    default Optional<LauncherNodes> launchers() {
        return Optional.empty();
    }

    /** Whether there are other launchers. Otherwise no event comes, and there is no outcome to wait for. */
    default boolean isUsed() {
        return launchers().isPresent();
    }

    /** Whether this launcher leads. */
    default boolean leads() {
        return launchers().filter(LauncherNodes::leads).isPresent();
    }

    /** The name of this launcher; empty if {@link #isUsed} is false. */
    default Optional<String> own() {
        return launchers().map(LauncherNodes::own);
    }

    /** This host as the others know it. */
    default Optional<String> host() {
        return launchers().flatMap(all -> all.self().host()).map(Host::name);
    }

    /** What the leader knows about all launchers; empty on members. */
    default LinkReport report() {
        return LinkReport.NOTHING;
    }

    /** Sends pending messages, for half a second at most, and ends the connections. */
    @Override
    default void close() {}
}
