package dev.muster.runtime.process;

/** Whom a signal means that is no stop. */
public enum SignalScope {
    /** The leader alone. */
    LEADER,
    /** The ranks that it hosts. */
    RANKS,
    /** Its process group. */
    GROUP
}
