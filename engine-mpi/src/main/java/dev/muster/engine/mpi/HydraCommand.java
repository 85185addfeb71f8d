package dev.muster.engine.mpi;

import dev.muster.spi.Launch;
import dev.muster.spi.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/** The mpirun of Intel MPI and MPICH, whose process manager is Hydra. */
final class HydraCommand {

    /** What ranks get in any case; Hydra passes names on, so the values stand in its own environment. */
    private static final Map<String, String> FIXED = Map.of(
            "NCCL_DEBUG", "INFO",
            "NCCL_SOCKET_FAMILY", "AF_INET",
            "HOROVOD_MPI_THREADS_DISABLE", "1");

    private static final String INTERFACES = "NCCL_SOCKET_IFNAME";

    /** MPICH has no option for it, and two names: that of MPICH 4, and the older one. */
    private static final List<String> SSH_ARGUMENTS = List.of("HYDRA_LAUNCHER_EXTRA_ARGS", "HYDRA_LAUNCH_EXTRA_ARGS");

    private HydraCommand() {}

    static List<Value> of(RankCommand wanted) {
        List<Value> words = new ArrayList<>();
        RankCommand.add(words, "mpirun", "-n", Integer.toString(wanted.job().ranks()), "-f");
        words.add(wanted.hostfile());
        // A hostfile that gives hosts different numbers of ranks says so itself.
        wanted.job().slotsOfEach().ifPresent(slots -> RankCommand.add(words, "-ppn", Integer.toString(slots)));
        if (wanted.ssh().isPresent()) {
            RankCommand.add(words, wanted.kind() == Mpi.Kind.INTEL ? "-bootstrap" : "-launcher", "ssh");
            if (wanted.kind() == Mpi.Kind.INTEL) {
                RankCommand.add(words, "-bootstrap-exec-args");
                words.add(wanted.ssh().get());
            }
        }
        TreeSet<String> names = new TreeSet<>(wanted.names());
        names.addAll(FIXED.keySet());
        names.add(INTERFACES);
        RankCommand.add(words, "-envlist", String.join(",", names));
        words.addAll(Launch.literally(wanted.command()));
        return words;
    }

    /** All that {@link #environment} may set. */
    static List<String> variables() {
        List<String> names = new ArrayList<>(FIXED.keySet());
        names.add(INTERFACES);
        names.addAll(SSH_ARGUMENTS);
        return names;
    }

    /** What Hydra's own environment must have. */
    static Map<String, Value> environment(RankCommand wanted) {
        Map<String, Value> environment = new TreeMap<>();
        FIXED.forEach((name, value) -> environment.put(name, Value.of(value)));
        environment.put(INTERFACES, Value.of(wanted.job().interfaces().list()));
        if (wanted.kind() == Mpi.Kind.MPICH && wanted.ssh().isPresent()) {
            SSH_ARGUMENTS.forEach(name -> environment.put(name, wanted.ssh().get()));
        }
        return environment;
    }
}
