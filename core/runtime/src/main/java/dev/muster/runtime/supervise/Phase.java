package dev.muster.runtime.supervise;

/** How far the run of a plan has come. */
enum Phase {
    /** The hooks before the tasks. */
    PROLOG,
    /** Tasks and services start and run. */
    RUNNING,
    /** A process ended by a SIGTERM that is not ours: the others have a moment to end by themselves. */
    EXTERNAL_TERM,
    /** A rank that still runs may have failed first: it has a moment to end by itself. */
    SUSPECT,
    /** The job is being stopped: ranks have the signal that lets them save what they have, and no other yet. */
    CHECKPOINT,
    /** The outcome is known, and it is none of this node's own: others are told. */
    ON_STOP,
    /** The outcome is known: tasks end, and what they left behind. */
    ENDING_TASKS,
    /** The hooks after the outcome. */
    EPILOG,
    /** The job was stopped, and services go on for other nodes. */
    SERVING,
    /** Services end in reverse order, then whatever escaped. */
    ENDING_SERVICES,
    /** Nothing of this node runs any more; the other launchers say how the job ended, and need nothing of this one. */
    EXIT_BARRIER,
    DONE
}
