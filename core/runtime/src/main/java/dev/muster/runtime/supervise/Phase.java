package dev.muster.runtime.supervise;

/** How far the run of a plan has come. */
enum Phase {
    /** The steps before the tasks. */
    OPENING,
    /** Tasks and services start and run. */
    RUNNING,
    /** A process ended by a SIGTERM that is not ours: the others have a moment to end by themselves. */
    RESPITE,
    /** The job is being stopped: ranks have the signal that lets them save what they have, and no other yet. */
    CHECKPOINT,
    /** The outcome is known, and it is none of this node's own: others are told. */
    TELLING,
    /** The outcome is known: tasks end, and what they left behind. */
    ENDING_TASKS,
    /** The steps after the outcome. */
    CLOSING,
    /** The job was stopped, and services go on for other nodes. */
    SERVING,
    /** Services end in reverse order, then whatever escaped. */
    ENDING_SERVICES,
    /** Nothing of this node runs any more; the other launchers say how the job ended, and need nothing of this one. */
    PARTING,
    DONE
}
