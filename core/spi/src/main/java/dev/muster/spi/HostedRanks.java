package dev.muster.spi;

import java.util.SortedSet;

/**
 * Ranks that run under a process of the plan without being of the plan themselves: under an mpirun or a torchrun, or under an sshd through which
 * an mpirun of another node starts them. On a stop they get SIGTERM and the grace period while the process that looks after them
 * goes on. Whoever is left then gets SIGKILL. The process itself gets SIGTERM when none of them is left and {@code until} holds, or
 * when the grace period is over; until SIGKILL it then has what is left of the period, but five seconds, or a shorter grace period, at
 * least. The first half of these it may end by itself where ranks have been killed, here or on other nodes. What ranks start
 * themselves after the signal does not get it.
 *
 * <p>What they leave behind when all of them on the node have ended gets SIGTERM too, and SIGKILL after the grace period: their
 * process may wait for it.
 *
 * <p>Whoever starts a rank can tell about it by notes, files in the run's {@linkplain Value.PrivateDirectory private directory} on
 * the rank's node. {@code started.RANK} holds {@code PID START}: whose end is the rank's, and when it started, in clock ticks since
 * the machine did; it may be a shell that waits for the rank and heeds no signal but SIGTERM: SIGKILL comes to it up to a second later, so
 * that it can tell of the rank's end; {@code pid.RANK} holds the rank's own pid then, which is the one that users are told. {@code ended.RANK}, written when a rank has failed and renamed to its name when it is whole, holds {@code CODE
 * RANK WHAT}: exit code as a shell gives it, and perhaps a program that was not found, or with 75 {@code refused}, where the shell that was to
 * start it could make no process; a second line {@code alone} says that only
 * the rank got the signal that ended it, so nobody ended it for another's sake. The first such failure ends the job, and a
 * verdict names the rank, as if it were of the plan. {@code why} holds the reason, one line for users, why the
 * process that hosts ranks has failed. {@code stopping} is there once ranks have been told to end by the launcher, or by who takes its
 * place: whoever looks after a rank may then keep its end from a host that would cut the others' grace period short. {@code gone.RANK} is there
 * where a rank has ended in a stop and whoever looks after it keeps its end so. That one waits as long as the launcher holds the pipe
 * {@code kept} open, which whoever looks after ranks makes: where the process hosts ranks of several nodes, until those of all nodes have ended.
 *
 * @param variables whoever belongs to the run and has one of these in its environment is a rank, or started by one
 * @param until what else the process waits for; where that is anything, the process hosts ranks of several nodes
 * @param tasks how many processes and threads there are at least on this node, beside the process itself, when all of them run: its own
 *     threads, what starts the ranks, and they themselves; 0: nobody knows
 * @param files how many files the process itself must be able to open at least, with the pipes to its ranks; 0: nobody knows
 * @since 0.1
 */
public record HostedRanks(SortedSet<String> variables, Condition until, int tasks, int files) {

    /** What the name of a note on a rank's start begins with; the rank follows. */
    public static final String STARTED = "started.";

    /**
     * What the name of a note on a rank's own pid begins with; the rank follows.
     *
     * @since 0.2
     */
    public static final String PID = "pid.";

    /** What the name of a note on a rank's failure begins with; the rank follows. */
    public static final String ENDED = "ended.";

    /** What a note on a rank's failure says of one for which no process could be made. */
    public static final String REFUSED = "refused";

    /** The name of the note that tells why the process itself has failed. */
    public static final String WHY = "why";

    /** The name of the note that the launcher leaves before it signals ranks. */
    public static final String STOPPING = "stopping";

    /** What the name of a note on a rank begins with that has ended, and whose end is kept; the rank follows. */
    public static final String GONE = "gone.";

    /** The name of the pipe that the launcher holds open while ends of ranks are to be kept. */
    public static final String KEPT = "kept";

    public HostedRanks {
        variables = Sorted.set(variables);
    }
}
