package dev.muster.runtime.link;

import dev.muster.spi.Host;
import dev.muster.spi.LauncherNodes;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * This launcher's end of the link. Calls come from any thread and return at once. What a method does by itself fits a launcher that
 * has no others.
 */
public interface Link extends AutoCloseable {

    /** A launcher that has no others, or does not speak to them. */
    Link NONE = new Link() {};

    /**
     * Begins to make the link of a job and returns at once. Its thread is a daemon.
     *
     * @param nanoClock this launcher's {@link System#nanoTime()}; any thread may ask it
     * @param say gets lines for the user, on the link's thread
     * @param warn gets lines of which something may be wrong
     */
    static Link open(LinkSettings settings, LongSupplier nanoClock, Consumer<String> say, Consumer<String> warn) {
        return LinkThread.start(
                settings, settings.launchers().leads() ? Leader::new : Member::new, nanoClock, new LinkLog(say, warn));
    }

    /** Tells the others something; what cannot be sent yet is kept until it can. */
    default void say(LocalEvent said) {}

    /**
     * Who hears the others, one event at a time; what nobody has heard yet comes at once. Replaces the listener before.
     */
    default void listen(Consumer<LinkEvent> listener) {}

    /** All launchers of the job; empty: there are no others. */
    default Optional<LauncherNodes> launchers() {
        return Optional.empty();
    }

    /** Whether there are others at all: else nothing is ever heard, and nobody waits for a verdict. */
    default boolean isUsed() {
        return launchers().isPresent();
    }

    /** Whether this launcher leads. */
    default boolean leads() {
        return launchers().filter(LauncherNodes::leads).isPresent();
    }

    /** What this launcher is called; empty where {@link #isUsed} is false. */
    default Optional<String> own() {
        return launchers().map(LauncherNodes::own);
    }

    /** What the others call this host. */
    default Optional<String> host() {
        return launchers().flatMap(all -> all.self().host()).map(Host::name);
    }

    /** What is known of all launchers of the job. */
    default LinkReport report() {
        return LinkReport.NOTHING;
    }

    /** Sends what is left, for half a second at most, and ends the connection. */
    @Override
    default void close() {}
}
