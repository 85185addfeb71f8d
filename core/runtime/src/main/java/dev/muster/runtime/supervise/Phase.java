package dev.muster.runtime.supervise;

/** The phases of an attempt, in order. */
enum Phase {
    /** The prolog hooks run. */
    PROLOG,
    /** Tasks and services start and run. */
    RUNNING,
    /** A process ended by a SIGTERM that Muster did not send: the others have time to end by themselves. */
    EXTERNAL_TERM,
    /** A running rank may have failed first: it has time to end by itself. */
    SUSPECT,
    /** In a stop: ranks got the checkpoint signal, and no SIGTERM yet. */
    CHECKPOINT,
    /** The outcome is known, and comes from outside this node's processes: hooks tell others. */
    ON_STOP,
    /** The outcome is known: tasks are stopped, and their orphans. */
    ENDING_TASKS,
    /** The epilog hooks run. */
    EPILOG,
    /** After a stop, services go on while other nodes need them. */
    SERVING,
    /** All remaining processes are stopped: services and orphans. */
    ENDING_SERVICES,
    /** No process of this node runs any more: the launcher waits for the job's outcome, see {@link ExitBarrier}. */
    EXIT_BARRIER,
    DONE
}
