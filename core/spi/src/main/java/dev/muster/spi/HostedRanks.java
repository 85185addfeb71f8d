package dev.muster.spi;

import java.util.Collections;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Ranks that a process of the plan, the host, starts itself; the plan does not list them. The host is an mpirun, a torchrun, or an sshd
 * through which an mpirun of another node starts ranks. Each rank runs under {@code --rank-of-host}: see {@link Value#rankOfHost}.
 *
 * <p>In a stop the ranks get SIGTERM and the grace, while the host keeps running. The host gets SIGTERM when no rank runs any more and
 * {@code until} holds, at the latest at the end of the grace. When a rank fails, the host ends the other ranks. The end of a rank by a
 * SIGTERM that Muster did not send is a stop, not a failure: see {@link #STOP_WANTED}. Processes that an ended rank leaves behind get
 * SIGTERM, and SIGKILL 10 s later.
 *
 * @param until what else the host waits for; anything but {@link Condition#IMMEDIATELY}: the host has ranks on several nodes
 * @param tasks the least number of processes and threads on this node, without the host process itself, when all ranks run: the host's
 *     threads, the processes that start the ranks, and the ranks; 0: unknown
 * @param files the least number of files that the host process must be able to open, with the pipes to its ranks; 0: unknown
 * @param printing the ranks that run under {@code --rank-of-host} on this node, have {@code RANK} in their environment and print to the
 *     launcher directly: each has its own log and lines. The other ranks print through the host
 * @since 0.1
 */
@Stability(stable = false)
public record HostedRanks(Condition until, int tasks, int files, SortedSet<Integer> printing) {

    /**
     * The name of a file in the {@linkplain Value#privateDirectory private directory}. The supervisor makes it when it tells ranks to end.
     * The host has the path in the variable {@link #STOP_NOTE}; a host that starts ranks on other nodes must set the variable there.
     */
    public static final String STOPPING = "stopping";

    /**
     * The variable that tells {@code --rank-of-host} the path of the file {@link #STOPPING}.
     *
     * @since 0.2
     */
    public static final String STOP_NOTE = "MUSTER_STOP_NOTE";

    /**
     * The name of a file beside {@link #STOPPING}. When a rank ends by a SIGTERM that Muster did not send, {@code --rank-of-host} writes
     * {@code RANK PID} to it and hides the end from the host. The launcher then stops the job, and the other ranks have their grace.
     *
     * @since 0.2
     */
    public static final String STOP_WANTED = STOPPING + ".wanted";

    /**
     * The prefix of the names of pipes beside {@link #STOPPING}; the rank follows. {@code --rank-of-host} prints to them.
     *
     * @since 0.2
     */
    public static final String OUTPUT = STOPPING + ".output.";

    /** The name of a file beside {@link #STOPPING}. The host may write one line for users into it: why it has failed. */
    public static final String WHY = "why";

    public HostedRanks {
        printing = Collections.unmodifiableSortedSet(new TreeSet<>(printing));
    }
}
