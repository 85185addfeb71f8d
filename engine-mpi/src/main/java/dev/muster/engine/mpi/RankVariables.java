package dev.muster.engine.mpi;

import dev.muster.spi.HostedRanks;
import dev.muster.spi.JobSpec;
import dev.muster.spi.PlatformContract;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The variables that ranks of other nodes get from node 0, and the variables that every node keeps for its own ranks. Arguments
 * hold only names. mpirun takes the values from its own environment, and sends them in its own messages, byte for byte.
 */
record RankVariables(JobSpec job, List<String> local) {

    /** The variable by which the runtime finds the processes of a run. */
    static final String MARKER = "MUSTER_JOB";

    /** Variables about the container itself on any platform. A platform's own variables come from its contract. */
    private static final List<String> LOCAL = List.of(
            "HOSTNAME",
            "*_VISIBLE_DEVICES",
            "GPU_DEVICE_ORDINAL",
            "POD_IP",
            "POD_NAME",
            "POD_UID",
            "HOST_IP",
            "NODE_NAME",
            "MUSTER_NODE_INDEX");

    /** Variables that mpirun sets for ranks, or that an outer mpirun has set for this launcher. */
    private static final List<String> OF_MPI =
            List.of("OMPI_*", "PMIX_*", "PMI_*", "PRTE_*", "ORTE_*", "OPAL_*", "MPI_LOCALRANKID", "MPI_LOCALNRANKS");

    /** Variables of one process: of its shell, its login, and this launcher. */
    private static final List<String> OF_PROCESS = List.of(
            "PWD",
            "_",
            "SSH_*",
            MARKER,
            "MUSTER_HOME",
            "MUSTER_CWD",
            RankShell.PLACE,
            RankShell.PLACE_HERE,
            RankShell.PREFIX + "*",
            HostedRanks.STOP_NOTE);

    /** Variables that mpirun's daemon needs to find programs and libraries before it gets anything from node 0. */
    private static final Set<String> FOR_DAEMON = Set.of("PATH", "LD_LIBRARY_PATH", "OPAL_PREFIX", "TMPDIR", MARKER);

    /** With these variables an mpirun and its daemons would take themselves for ranks. */
    static final List<String> OF_RANKS =
            List.of("OMPI_COMM_WORLD_*", "PMIX_*", "PMI_*", "MPI_LOCALRANKID", "MPI_LOCALNRANKS");

    /** Variables that only ranks have, with any MPI. */
    static final List<String> MARKS = List.of("HOROVOD_RANK", "OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK");

    /** Variables whose values this engine sets. */
    static final List<String> FIXED =
            List.of("NCCL_DEBUG", "NCCL_SOCKET_IFNAME", "NCCL_SOCKET_FAMILY", "HOROVOD_MPI_THREADS_DISABLE");

    static RankVariables of(JobSpec job) {
        List<String> local = new ArrayList<>(LOCAL);
        local.addAll(job.platform().localVariables());
        local.addAll(activated(job));
        return new RankVariables(job, local);
    }

    /** Variables that each launcher sets for its own node. Those that no shell passes on, node 0 sends to all ranks. */
    private static List<String> activated(JobSpec job) {
        return job.activated().stream().filter(RankShell::isValidName).toList();
    }

    /** Activated variables that node 0 must send if no launcher runs on the other hosts. */
    List<String> activated() {
        return activated(job).stream()
                .filter(name -> !FIXED.contains(name)
                        && !PlatformContract.matches(OF_MPI, name)
                        && !PlatformContract.matches(OF_PROCESS, name))
                .toList();
    }

    /** The names of the variables that node 0 sends to the ranks of all nodes, sorted. */
    List<String> forwarded() {
        Map<String, String> transportNames = RankShell.transportNames(job);
        boolean hasLaunchers = Sshd.of(job).isOfJob();
        return job.environment().keySet().stream()
                .filter(name -> !FIXED.contains(name) && !PlatformContract.matches(local, name))
                .filter(name -> !PlatformContract.matches(OF_MPI, name) && !PlatformContract.matches(OF_PROCESS, name))
                .filter(name -> hasLaunchers || RankShell.isValidName(name))
                .map(name -> hasLaunchers ? transportNames.getOrDefault(name, name) : name)
                .toList();
    }

    /** Variables that no shell passes on. */
    List<String> invalidNames() {
        return job.environment().keySet().stream()
                .filter(name -> !RankShell.isValidName(name))
                .toList();
    }

    /** Variables of the job whose values this engine replaces. */
    List<String> replaced() {
        return FIXED.stream().filter(name -> job.variable(name).isPresent()).toList();
    }

    /** Variables that this node keeps for its own ranks, and variables that mpirun's daemon needs to start. */
    List<String> notForwarded() {
        List<String> names = new ArrayList<>();
        for (String name : job.environment().keySet()) {
            boolean isLocal = PlatformContract.matches(local, name) || FOR_DAEMON.contains(name);
            if (isLocal && RankShell.isValidName(name)) {
                names.add(name);
            }
        }
        if (!names.contains(MARKER)) {
            names.add(MARKER);
        }
        return names;
    }

    /** Variables of an outer MPI job in which this launcher was started. */
    static List<String> ofOtherMpi(JobSpec job) {
        return job.environment().keySet().stream()
                .filter(name -> PlatformContract.matches(OF_RANKS, name))
                .toList();
    }
}
