package dev.muster.engine.mpi;

import dev.muster.spi.JobSpec;
import dev.muster.spi.Value;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Keeps mpirun from asking a resource manager for hosts and from starting its daemons with it. Our sshd and our hostfile count:
 * the addresses in it are in no allocation ("node not present in the allocation"), and a step that mpirun starts for its daemons
 * would wait for the resources that the launchers have.
 */
final class ResourceManager {

    /** Intel MPI takes the number of ranks per host from the resource manager and not from its arguments, unless told. */
    private static final String INTEL_PLACEMENT = "I_MPI_JOB_RESPECT_PROCESS_PLACEMENT";

    /** All that {@link #environment} may set; the components are called so by Open MPI 4, and by Open MPI 5, which has PRRTE's. */
    static final List<String> VARIABLES =
            List.of("OMPI_MCA_plm", "OMPI_MCA_ras", "PRTE_MCA_plm", "PRTE_MCA_ras", INTEL_PLACEMENT);

    private ResourceManager() {}

    /** For whatever starts the ranks: horovodrun calls an mpirun that gets no arguments of ours. */
    static Map<String, Value> environment(JobSpec job) {
        Map<String, Value> environment = new TreeMap<>();
        Optional<String> manager = job.platform().resourceManager();
        if (manager.isPresent()) {
            VARIABLES.forEach(
                    name -> environment.put(name, Value.of(name.equals(INTEL_PLACEMENT) ? "0" : "^" + manager.get())));
        }
        return environment;
    }
}
