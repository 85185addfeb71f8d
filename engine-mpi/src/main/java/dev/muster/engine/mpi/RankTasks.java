package dev.muster.engine.mpi;

import dev.muster.spi.Condition;
import dev.muster.spi.HostedRanks;
import java.util.TreeSet;

/**
 * The number of processes and threads on a node when all of its ranks run. If the limit is lower, mpirun or the program around a rank
 * cannot fork, and its message is hard to understand. Processes that ranks start are not counted: their number is unknown.
 */
final class RankTasks {

    /** Per rank: the rank, and the launcher's program around it. */
    private static final int OF_RANK = 2;

    /** Open MPI's mpirun and its daemon have four threads; Hydra has about as many processes. */
    private static final int OF_MPIRUN = 4;

    /** The two processes of a login. One of them may become the daemon. */
    private static final int OF_LOGIN = 2;

    /** A program that a shell runs at the same time. */
    private static final int OF_SHELLS = 1;

    /** The open files of Open MPI 4's mpirun. With a lower limit it prints an error about pipes, and then hangs forever. */
    private static final int FILES_OF_MPIRUN = 27;

    /** Its pipes to one rank, as measured for 1 to 64 ranks. */
    private static final int FILES_OF_RANK = 4;

    private RankTasks() {}

    /**
     * The count for mpirun, its calls of ssh, which last as long as the job, and the ranks on its node.
     *
     * @param until what mpirun waits for in a stop
     */
    static HostedRanks ofMpirun(MpiJob job, Condition until) {
        int calls = 0;
        int ranks = 0;
        for (MpiHost host : job.assignment().hosts()) {
            calls += host.isHere() ? 0 : 1;
            ranks += host.isHere() ? host.slots() : 0;
        }
        boolean isOpenMpi4 = !job.isHorovodrun() && job.mpi().kind() == Mpi.Kind.OPEN_MPI_4;
        int tasks = OF_MPIRUN + OF_RANK * ranks + calls + OF_SHELLS;
        int files = isOpenMpi4 ? FILES_OF_MPIRUN + FILES_OF_RANK * ranks : 0;
        return new HostedRanks(until, tasks, files, new TreeSet<>());
    }

    /** The count for a node that runs sshd; mpirun does not log in to its own node. */
    static HostedRanks ofLogins(MpiJob job, Condition until) {
        HostAssignment assignment = job.assignment();
        int ofLogin = OF_LOGIN + OF_MPIRUN + OF_RANK * assignment.own().slots() + OF_SHELLS;
        return new HostedRanks(until, assignment.index() == 0 ? 0 : ofLogin, 0, new TreeSet<>());
    }
}
