package dev.muster.runtime.process;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;

/**
 * The native supervisor: starts, signals, reaps and stops all processes of a launcher. Any thread may call it. Only {@link #start} and
 * {@link #lock} wait for an answer, which comes at once.
 */
public interface ProcessSupervisor {

    /**
     * Starts a process as the leader of a session of its own.
     *
     * @param listener told how it ended, also where it could not become its program
     * @throws IOException when the system makes no process, or the supervisor is gone
     */
    StartedProcess start(ProcessRequest request, ProcessListener listener) throws IOException;

    /** Sends a signal at once. Any but SIGKILL is followed by SIGCONT. A process that has ended is not signalled. */
    void signal(long id, int number, SignalScope scope);

    /** Ends processes and all that they have started. Its course comes as events with the order's sequence number. */
    void stop(StopOrder order);

    /** The ranks of other nodes have ended too, so that a host which waits for them may be stopped. */
    void release(long id);

    /** What happens when this JVM dies. */
    void settings(SupervisorSettings settings);

    /** Whose code runs in this JVM now; empty: only the launcher's own. */
    void runs(String plugin);

    /** A stop that was asked for by a signal or by {@code muster stop} is being obeyed: the supervisor need not begin it. */
    void taken(int signal);

    /** Passes on a signal that this JVM has got itself. */
    void caught(int signal);

    /** Answers a request; the connection is closed where it is the last answer. */
    void reply(long connection, String text, boolean isLast);

    /** Takes the lock of a part of a job on this machine. */
    LockAnswer lock(String job, String node, Duration grace) throws IOException;

    /** The absolute path of the supervisor's own program, by which ranks of hosts are started too. */
    Path program();

    /** Who gets what is no matter of one process; replaces an earlier listener, and hears what came before there was one. */
    void listen(SupervisorListener listener);

    /** What the caller has given the launcher. */
    CallerContext caller();

    /** The launcher ends with this code as soon as this JVM has. */
    void verdict(int code);

    /** Whom {@link #signal} means. */
    enum SignalScope {
        /** The leader alone. */
        LEADER,
        /** The ranks that it hosts. */
        RANKS
    }

    /**
     * A process that runs.
     *
     * @param id by which the supervisor knows it
     * @param pid also its group and session
     */
    record StartedProcess(long id, long pid) {}

    /**
     * Whom to end.
     *
     * @param sequence by which its course is told; {@link #UNHEARD}: nobody is told of it
     * @param only these; empty: all, and also what belongs to nobody known
     * @param grace between SIGTERM and SIGKILL, from now on
     * @param toAll whether SIGTERM goes to all at once, and not to leaders first
     */
    record StopOrder(long sequence, Set<Long> only, Duration grace, boolean toAll) {
        /** Nobody is told of the course of such an order. */
        public static final long UNHEARD = Long.MAX_VALUE;

        public StopOrder {
            only = Set.copyOf(only);
        }
    }

    /**
     * The lock of a part of a job.
     *
     * @param isTaken whether this launcher has it
     * @param holder pid of who has it else; 0 where that is of another container
     * @param grace of that one
     */
    record LockAnswer(boolean isTaken, long holder, Duration grace) {}
}
