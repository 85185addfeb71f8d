package dev.muster.runtime.process;

import java.util.List;

/**
 * Hears what concerns the whole launcher, on the connection's thread; must neither block nor throw. What concerns only stops need not be
 * heard.
 */
public interface SupervisorListener {

    /**
     * The launcher got a signal.
     *
     * @param sender its pid; 0 where that is not known
     */
    void signalled(int number, long sender);

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

    /**
     * Somebody asks something through the launcher's socket.
     *
     * @param line what he says
     * @param user by number
     */
    void requested(long connection, String line, long pid, long user);

    /** The supervisor is gone: nothing can be started or signalled any more, and what ran is being ended. */
    void lost();
}
