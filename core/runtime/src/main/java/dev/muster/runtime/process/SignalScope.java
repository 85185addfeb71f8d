package dev.muster.runtime.process;

/** The processes that get a signal that is no stop. */
public enum SignalScope {
    /** The session leader alone. */
    LEADER,
    /** The ranks that the process hosts. */
    RANKS,
    /** Its process group. */
    GROUP
}
