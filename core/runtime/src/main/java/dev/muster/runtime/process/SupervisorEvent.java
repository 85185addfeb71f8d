package dev.muster.runtime.process;

/** What the supervisor tells that concerns the whole launcher. It is told on the connection's thread. */
public sealed interface SupervisorEvent {

    /** The launcher got a signal. */
    record Signalled(int number) implements SupervisorEvent {}

    /** Somebody says a line through the launcher's socket. */
    record Requested(long connection, String line) implements SupervisorEvent {}

    /**
     * A process is being stopped that its leader has left behind.
     *
     * @param owner id of the process that had started it; 0: nobody knows
     */
    record LeftBehind(long pid, String name, long owner) implements SupervisorEvent {}

    /** The grace of a stop is over, and a process gets SIGKILL, or what it has started does. */
    record Killing(long sequence, int count, long id) implements SupervisorEvent {}

    /** A process is still there ten seconds after SIGKILL. */
    record StillRunning(long sequence, long pid, String name) implements SupervisorEvent {}

    /** Nothing is left of what an order to stop meant. */
    record Stopped(long sequence) implements SupervisorEvent {}

    /** In a stop, none of the ranks that a process hosts runs any more. */
    record HostedRanksEnded(long id) implements SupervisorEvent {}

    /** The supervisor is gone: nothing can be started or signalled any more, and what ran is being ended. */
    record Lost() implements SupervisorEvent {}
}
