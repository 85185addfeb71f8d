package dev.muster.runtime.process;

/** Events of the native supervisor about the whole launcher. They come on the connection's thread. */
public sealed interface SupervisorEvent {

    /** The launcher got a signal. */
    record Signalled(int number) implements SupervisorEvent {}

    /** A client sent a line over the launcher's socket. */
    record Requested(long connection, String line) implements SupervisorEvent {}

    /**
     * An orphan is being stopped: a process that its leader has left behind.
     *
     * @param owner id of the process that had started it; 0: unknown
     */
    record LeftBehind(long pid, String name, long owner) implements SupervisorEvent {}

    /** The grace of a stop is over: a process or its descendants get SIGKILL. */
    record Killing(long sequence, int count, long id) implements SupervisorEvent {}

    /** A process is still there ten seconds after SIGKILL. */
    record StillRunning(long sequence, long pid, String name) implements SupervisorEvent {}

    /** All processes of a stop order have ended. */
    record Stopped(long sequence) implements SupervisorEvent {}

    /** In a stop, all ranks of a host have ended. */
    record HostedRanksEnded(long id) implements SupervisorEvent {}

    /** The supervisor is gone: nothing can be started or signalled any more. Running processes are being ended. */
    record Lost() implements SupervisorEvent {}
}
