package dev.muster.engine.mpi;

import dev.muster.spi.HostedRanks;
import dev.muster.spi.JobSpec;
import dev.muster.spi.PlatformContract;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Which variables the ranks of other nodes get from node 0, and which every node keeps for its own ranks. Only names travel in
 * arguments; mpirun takes the values from its own environment and carries them in its own messages, byte for byte.
 */
record RankVariables(JobSpec job, List<String> local) {

    /** By which the runtime finds the processes of a run. */
    static final String MARKER = "MUSTER_JOB";

    /** What says something about the container itself, whatever the platform; its own variables come with its contract. */
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

    /** What mpirun, or an mpirun around us, gives ranks itself. */
    private static final List<String> OF_MPI =
            List.of("OMPI_*", "PMIX_*", "PMI_*", "PRTE_*", "ORTE_*", "OPAL_*", "MPI_LOCALRANKID", "MPI_LOCALNRANKS");

    /** What belongs to one process: its shell, its login, and this launcher. */
    private static final List<String> OF_PROCESS = List.of(
            "PWD",
            "_",
            "SSH_*",
            MARKER,
            "MUSTER_HOME",
            "MUSTER_CWD",
            RankShell.PLACE,
            RankShell.PLACE_HERE,
            RankShell.OWN + "*",
            HostedRanks.STOP_NOTE);

    /** How the node's own programs find theirs: mpirun's daemon needs it before node 0 has told it anything. */
    private static final Set<String> FOR_DAEMON = Set.of("PATH", "LD_LIBRARY_PATH", "OPAL_PREFIX", "TMPDIR", MARKER);

    /** By these an mpirun and its daemons take themselves for ranks. */
    static final List<String> OF_RANKS =
            List.of("OMPI_COMM_WORLD_*", "PMIX_*", "PMI_*", "MPI_LOCALRANKID", "MPI_LOCALNRANKS");

    /** What only ranks have, whichever MPI started them. */
    static final List<String> MARKS = List.of("HOROVOD_RANK", "OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK");

    /** Given with values of their own. */
    static final List<String> FIXED =
            List.of("NCCL_DEBUG", "NCCL_SOCKET_IFNAME", "NCCL_SOCKET_FAMILY", "HOROVOD_MPI_THREADS_DISABLE");

    static RankVariables of(JobSpec job) {
        List<String> local = new ArrayList<>(LOCAL);
        local.addAll(job.platform().localVariables());
        local.addAll(activated(job));
        return new RankVariables(job, local);
    }

    /** What each launcher sets for its own node; what no shell could keep there, node 0 tells all. */
    private static List<String> activated(JobSpec job) {
        return job.activated().stream().filter(RankShell::handsOn).toList();
    }

    /** What node 0 has to tell where no launcher is on the other hosts: it is set for its own node only. */
    List<String> activated() {
        return activated(job).stream()
                .filter(name -> !FIXED.contains(name)
                        && !PlatformContract.matches(OF_MPI, name)
                        && !PlatformContract.matches(OF_PROCESS, name))
                .toList();
    }

    /** What node 0 tells the ranks of all nodes, sorted. */
    List<String> forwarded() {
        Map<String, String> carried = RankShell.carried(job);
        boolean hasLaunchers = Sshd.of(job).isOfJob();
        return job.environment().keySet().stream()
                .filter(name -> !FIXED.contains(name) && !PlatformContract.matches(local, name))
                .filter(name -> !PlatformContract.matches(OF_MPI, name) && !PlatformContract.matches(OF_PROCESS, name))
                .filter(name -> hasLaunchers || RankShell.handsOn(name))
                .map(name -> hasLaunchers ? carried.getOrDefault(name, name) : name)
                .toList();
    }

    /** What no shell hands on. */
    List<String> unspeakable() {
        return job.environment().keySet().stream()
                .filter(name -> !RankShell.handsOn(name))
                .toList();
    }

    /** What the contract gives all ranks whatever the environment says. */
    List<String> replaced() {
        return FIXED.stream().filter(name -> job.variable(name).isPresent()).toList();
    }

    /** What this node keeps for its own ranks, and what a daemon of mpirun's needs to start. */
    List<String> kept() {
        List<String> names = new ArrayList<>();
        for (String name : job.environment().keySet()) {
            boolean isMeant = PlatformContract.matches(local, name) || FOR_DAEMON.contains(name);
            if (isMeant && RankShell.handsOn(name)) {
                names.add(name);
            }
        }
        if (!names.contains(MARKER)) {
            names.add(MARKER);
        }
        return names;
    }

    /** Variables of an MPI job inside which this one was started. */
    static List<String> ofOtherMpi(JobSpec job) {
        return job.environment().keySet().stream()
                .filter(name -> PlatformContract.matches(OF_RANKS, name))
                .toList();
    }
}
