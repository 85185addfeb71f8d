package dev.muster.runtime.conditions;

import dev.muster.spi.Condition;

/** A condition that only looking shows. Used by the probing thread alone, where nothing else is said. */
interface Probe {

    /** Which condition this looks after. */
    Condition condition();

    /** Nanoseconds on the watch's clock; the next step is not due before. */
    long due();

    /** Whether something has happened that makes the next step due at once. */
    default boolean isWoken() {
        return false;
    }

    /** Takes the next step; never blocks. */
    void step(long now);

    boolean isMet();

    /** Why it is not met, as a sentence without a full stop. Any thread may ask. */
    String reason();

    /** The same in a few words, for lists: what is looked at, and why it is not there in brackets. */
    default String brief() {
        return reason();
    }

    /** Gives back what it holds. */
    default void close() {}
}
