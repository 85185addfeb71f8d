package dev.muster.engine.mpi;

import dev.muster.spi.Condition;
import dev.muster.spi.HostedRanks;
import dev.muster.spi.JobSpec;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.IntStream;

/**
 * How many processes and threads there are on a node when all of its ranks run. Where there is room for fewer, mpirun or the program around a
 * rank cannot fork, and says so in words of its own. And which programs stand between a process of the plan and its ranks. What programs of ranks start themselves nobody knows.
 */
final class RankTasks {

    /** The rank, and the launcher's program around it. */
    private static final int OF_RANK = 2;

    /** Open MPI's mpirun and its daemon have four threads; Hydra has about as many processes. */
    private static final int OF_MPIRUN = 4;

    /** The two processes of a login, of which one may become the daemon. */
    private static final int OF_LOGIN = 2;

    /** A program that a shell runs beside all of these. */
    private static final int OF_SHELLS = 1;

    /** Files of an mpirun of Open MPI 4, which says something of pipes and then stands still for ever where it can open fewer. */
    private static final int FILES_OF_MPIRUN = 27;

    /** Its pipes to a rank, as measured for 1 to 64 ranks. */
    private static final int FILES_OF_RANK = 4;

    /** The longest name of a process. */
    private static final int LONGEST = 15;

    private static final List<String> MPI_PROGRAMS = List.of(
            "mpirun",
            "mpiexec",
            "mpiexec.hydra",
            "orterun",
            "orted",
            "prterun",
            "prte",
            "prted",
            "hydra_pmi_proxy",
            // Intel's hydra_bstrap_proxy, cut off.
            "hydra_bstrap_pr",
            "horovodrun");

    private static final List<String> LOGIN_PROGRAMS = List.of("sshd", "sshd-session", "sshd-auth");
    private static final List<String> SHELLS = List.of("sh", "bash", "dash", "ash", "busybox");
    private static final List<String> PYTHONS = List.of("python", "python3");
    private static final List<String> REMOTE_SHELLS = List.of("ssh", "rsh", "plink", "kubectl");
    private static final int FIRST_PYTHON = 6;
    private static final int LAST_PYTHON = 19;

    private RankTasks() {}

    /**
     * Of mpirun, its calls of ssh, which last as long as the job, and the ranks on its node.
     *
     * @param until what it waits for
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
        return hosted(job, until, tasks, isOpenMpi4 ? FILES_OF_MPIRUN + FILES_OF_RANK * ranks : 0);
    }

    /** Of a node that serves ssh; mpirun does not log in to its own. */
    static HostedRanks ofLogins(MpiJob job, Condition until) {
        HostAssignment assignment = job.assignment();
        int ofLogin = OF_LOGIN + OF_MPIRUN + OF_RANK * assignment.own().slots() + OF_SHELLS;
        return hosted(job, until, assignment.index() == 0 ? 0 : ofLogin, 0);
    }

    private static HostedRanks hosted(MpiJob job, Condition until, int tasks, int files) {
        return new HostedRanks(passed(job), left(job.spec()), until, tasks, files);
    }

    /** Shells only where each rank runs under the launcher's program: else a rank may be one. The same goes for horovodrun's Python. */
    private static SortedSet<String> passed(MpiJob job) {
        SortedSet<String> passed = new TreeSet<>(MPI_PROGRAMS);
        passed.addAll(LOGIN_PROGRAMS);
        if (job.hasLaunchers()) {
            SHELLS.forEach(name -> passed.add(HostedRanks.UNLESS_LEFT + name));
            if (job.isHorovodrun()) {
                PYTHONS.forEach(name -> passed.add(HostedRanks.UNLESS_LEFT + name));
                IntStream.rangeClosed(FIRST_PYTHON, LAST_PYTHON)
                        .forEach(minor -> passed.add(HostedRanks.UNLESS_LEFT + "python3." + minor));
            }
        }
        return passed;
    }

    /** What calls other hosts: its end would be the end of mpirun's daemon there. */
    private static SortedSet<String> left(JobSpec job) {
        SortedSet<String> left = new TreeSet<>(REMOTE_SHELLS);
        String program = SshClient.program(job).split("[: ]", 2)[0];
        String name = program.substring(program.lastIndexOf('/') + 1);
        if (!name.isEmpty() && name.length() <= LONGEST && !MPI_PROGRAMS.contains(name) && !SHELLS.contains(name)) {
            left.add(name);
        }
        return left;
    }
}
