package dev.muster.runtime.inputs;

import java.time.Duration;

/** How the launcher lets time pass before anything is started. A stop request ends every wait at once. */
public interface Waiter {

    /** A clock that only goes forward, in nanoseconds; only differences mean anything. */
    long nanoTime();

    /**
     * Returns when so much time has passed, or as soon as the launcher was told to stop.
     *
     * @return whether to go on; {@code false} when the launcher was told to stop, perhaps before this call
     */
    boolean goOnAfter(Duration pause);

    /**
     * Told what is waited for, whenever that changes.
     *
     * @param what in a few words; empty: nothing any more
     */
    default void waitsFor(String what) {}
}
