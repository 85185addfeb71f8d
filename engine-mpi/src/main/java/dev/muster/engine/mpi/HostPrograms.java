package dev.muster.engine.mpi;

import dev.muster.spi.HostedRanks;
import dev.muster.spi.JobSpec;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.IntStream;

/** Which programs stand between a process of the plan and its ranks. */
final class HostPrograms {

    /** The longest name of a process. */
    private static final int LONGEST = 15;

    private static final List<String> OF_MPI = List.of(
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

    private static final List<String> OF_LOGIN = List.of("sshd", "sshd-session", "sshd-auth");
    private static final List<String> SHELLS = List.of("sh", "bash", "dash", "ash", "busybox");
    private static final List<String> PYTHONS = List.of("python", "python3");
    private static final List<String> REMOTE_SHELLS = List.of("ssh", "rsh", "plink", "kubectl");
    private static final int FIRST_PYTHON = 6;
    private static final int LAST_PYTHON = 19;

    private HostPrograms() {}

    /** Shells only where each rank runs under the launcher's program: else a rank may be one. The same goes for horovodrun's Python. */
    static SortedSet<String> passed(MpiJob job) {
        SortedSet<String> passed = new TreeSet<>(OF_MPI);
        passed.addAll(OF_LOGIN);
        if (job.hasLaunchers()) {
            SHELLS.forEach(name -> passed.add(HostedRanks.UNLESS_LEFT + name));
            if (job.launcher() == Launcher.HOROVODRUN) {
                PYTHONS.forEach(name -> passed.add(HostedRanks.UNLESS_LEFT + name));
                IntStream.rangeClosed(FIRST_PYTHON, LAST_PYTHON)
                        .forEach(minor -> passed.add(HostedRanks.UNLESS_LEFT + "python3." + minor));
            }
        }
        return passed;
    }

    /** What calls other hosts: its end would be the end of mpirun's daemon there. */
    static SortedSet<String> left(JobSpec job) {
        SortedSet<String> left = new TreeSet<>(REMOTE_SHELLS);
        String program = RemoteShell.program(job).split("[: ]", 2)[0];
        String name = program.substring(program.lastIndexOf('/') + 1);
        if (!name.isEmpty() && name.length() <= LONGEST && !OF_MPI.contains(name) && !SHELLS.contains(name)) {
            left.add(name);
        }
        return left;
    }
}
