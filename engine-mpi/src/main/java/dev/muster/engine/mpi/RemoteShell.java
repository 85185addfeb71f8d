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

    /** The shell text that gives the program, perhaps with arguments. */
    static final String PROGRAM_IN_SHELL = inShell(PROGRAM, "ssh");

    /** The shell text that gives the arguments. */
    static final String ARGUMENTS_IN_SHELL = inShell(ARGUMENTS, "");

    private RemoteShell() {}

    /** What these variables add to all calls. */
    static String arguments(JobSpec job) {
        return ARGUMENTS.stream()
                .flatMap(name -> job.variable(name).stream())
                .map(OptionValue::value)
                .findFirst()
                .orElse("");
    }

    private static String inShell(List<String> names, String otherwise) {
        String text = otherwise;
        for (int i = names.size() - 1; i >= 0; i--) {
            text = "${" + names.get(i) + ":-" + text + "}";
        }
        return text;
    }
}
