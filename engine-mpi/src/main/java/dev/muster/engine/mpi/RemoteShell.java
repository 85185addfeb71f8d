package dev.muster.engine.mpi;

import dev.muster.spi.JobSpec;
import dev.muster.spi.OptionValue;
import java.util.List;

/**
 * How mpirun gets to other hosts where somebody has told it by variables, as the MPI operator does: the program, else ssh, and
 * more arguments for it. Where the way to the hosts is not ours, we go the same.
 */
final class RemoteShell {

    private static final List<String> PROGRAM = List.of(
            "PRTE_MCA_plm_ssh_agent", "OMPI_MCA_plm_rsh_agent", "I_MPI_HYDRA_BOOTSTRAP_EXEC", "HYDRA_LAUNCHER_EXEC");

    private static final List<String> ARGUMENTS = List.of(
            "PRTE_MCA_plm_ssh_args",
            "OMPI_MCA_plm_rsh_args",
            "I_MPI_HYDRA_BOOTSTRAP_EXEC_EXTRA_ARGS",
            "HYDRA_LAUNCHER_EXTRA_ARGS",
            "HYDRA_LAUNCH_EXTRA_ARGS");

    private RemoteShell() {}

    /** What is called, perhaps with arguments. */
    static String program(JobSpec job) {
        return first(job, PROGRAM, "ssh");
    }

    /** What these variables add to all calls. */
    static String arguments(JobSpec job) {
        return first(job, ARGUMENTS, "");
    }

    private static String first(JobSpec job, List<String> names, String otherwise) {
        return names.stream()
                .flatMap(name -> job.variable(name).stream())
                .map(OptionValue::value)
                .findFirst()
                .orElse(otherwise);
    }
}
