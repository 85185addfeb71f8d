package dev.muster.runtime.process;

import java.util.List;

/**
 * Hears what concerns the whole launcher, on the connection's thread; must neither block nor throw. What concerns only stops need not be
 * heard.
 */
public interface SupervisorListener {

    /** The launcher got a signal. */
    void signalled(int number);

    /**
     * A process is being stopped that its leader has left behind.
     *
     * @param owner id of the process that had started it; 0: nobody knows
     */
    default void leftBehind(long pid, String name, long owner) {}

    /** The grace of a stop is over, and these get SIGKILL, or what they have started does. */
    default void killing(long sequence, int count, List<Long> ids) {}

    /** A process is still there ten seconds after SIGKILL. */
    default void remains(long sequence, long pid, String name) {}

    /** Nothing is left of what an order meant. */
    default void stopped(long sequence) {}

    /** In a stop, none of the ranks that a process hosts runs any more. */
    default void hostedRanksEnded(long id) {}

    /** Somebody says a line through the launcher's socket. */
    void requested(long connection, String line);

    /** The supervisor is gone: nothing can be started or signalled any more, and what ran is being ended. */
    void lost();
}
