package dev.muster.spi;

import java.util.Collections;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Ranks that run under a process of the plan without being of the plan themselves: under an mpirun or a torchrun, or under an sshd through
 * which an mpirun of another node starts them. A rank is what runs under {@code --rank-of-host}: see {@link Value#rankOfHost}.
 *
 * <p>In a stop ranks get SIGTERM and the grace period, while the process that hosts them goes on. The process itself gets SIGTERM when no
 * rank runs any more and {@code until} holds, at the latest when the grace period is over. A failure of one rank is the process's own
 * affair: it ends the others in its own way. A SIGTERM of somebody else's is none: see {@link #STOP_WANTED}. What a rank has left behind gets SIGTERM when it has ended,
 * and SIGKILL 10 s later.
 *
 * @param until what else the process waits for; where that is anything, the process hosts ranks of several nodes
 * @param tasks how many processes and threads there are at least on this node, beside the process itself, when all of them run: its own
 *     threads, what starts the ranks, and they themselves; 0: nobody knows
 * @param files how many files the process itself must be able to open at least, with the pipes to its ranks; 0: nobody knows
 * @param printing those that run under {@code --rank-of-host} on this node, have {@code RANK} in their environment and print through
 *     nobody: each gets a log and lines of its own. The others print through the process
 * @since 0.1
 */
@Stability(stable = false)
public record HostedRanks(Condition until, int tasks, int files, SortedSet<Integer> printing) {

    /**
     * The name of a file in the run's {@linkplain Value#privateDirectory private directory}, made when ranks are told to end. The process
     * that hosts ranks has its path in {@link #STOP_NOTE}; who starts ranks on other nodes has to set that there.
     */
    public static final String STOPPING = "stopping";

    /**
     * The variable by which {@code --rank-of-host} finds that file.
     *
     * @since 0.2
     */
    public static final String STOP_NOTE = "MUSTER_STOP_NOTE";

    /**
     * The name of a file there: whoever looks after a rank makes it when somebody else has ended that by SIGTERM, with {@code RANK PID},
     * and keeps the end from the host. The launcher stops the job then, so that the other ranks have their grace period.
     *
     * @since 0.2
     */
    public static final String STOP_WANTED = STOPPING + ".wanted";

    /**
     * What the names of pipes there begin with, by which {@code --rank-of-host} prints; the rank follows.
     *
     * @since 0.2
     */
    public static final String OUTPUT = STOPPING + ".output.";

    /** The name of a file there in which the process may leave one line for users: why it has failed. */
    public static final String WHY = "why";

    public HostedRanks {
        printing = Collections.unmodifiableSortedSet(new TreeSet<>(printing));
    }
}
