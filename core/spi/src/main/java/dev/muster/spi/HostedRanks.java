package dev.muster.spi;

import java.util.Collections;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Ranks that run under a process of the plan without being of the plan themselves: under an mpirun or a torchrun, or under an sshd through
 * which an mpirun of another node starts them. Every process below it that is neither passed nor left is a rank, or started by one. So is
 * whatever runs under {@code --rank-of-host}, whatever its name: see {@link Value#rankOfHost}.
 *
 * <p>In a stop ranks get SIGTERM and the grace period, while the process that hosts them goes on. The process itself gets SIGTERM when no
 * rank runs any more and {@code until} holds, at the latest when the grace period is over. A failure of one rank is the process's own
 * affair: it ends the others in its own way. A SIGTERM of somebody else's is none: see {@link #STOP_WANTED}. What ranks have left behind gets SIGTERM when no rank runs any more, and SIGKILL after the grace.
 *
 * <p>Programs are known by their names as the kernel has them: at most 15 bytes, without a directory.
 *
 * @param passed names of programs below the process that carry ranks and are none; the process itself need not be named. With
 *     {@link #UNLESS_LEFT} before it, a name stands for no process that its parent has left behind: a daemon of a rank may be a shell
 * @param left names of programs below the process that get no signal before the end, because that would end what they serve elsewhere
 * @param until what else the process waits for; where that is anything, the process hosts ranks of several nodes
 * @param tasks how many processes and threads there are at least on this node, beside the process itself, when all of them run: its own
 *     threads, what starts the ranks, and they themselves; 0: nobody knows
 * @param files how many files the process itself must be able to open at least, with the pipes to its ranks; 0: nobody knows
 * @since 0.1
 */
@Experimental
public record HostedRanks(SortedSet<String> passed, SortedSet<String> left, Condition until, int tasks, int files) {

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

    /** Before the name of a program that is {@code passed}. */
    public static final String UNLESS_LEFT = "+";

    /** The name of a file there in which the process may leave one line for users: why it has failed. */
    public static final String WHY = "why";

    public HostedRanks {
        passed = Collections.unmodifiableSortedSet(new TreeSet<>(passed));
        left = Collections.unmodifiableSortedSet(new TreeSet<>(left));
    }
}
