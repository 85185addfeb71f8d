package dev.muster.engine.mpi;

import dev.muster.spi.Launch;
import dev.muster.spi.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;

/** The command that starts the ranks, for each supported program. */
final class RankCommand {

    /** The number of ssh calls that mpirun makes at the same time by default. */
    private static final int USUAL_LOGINS = 128;

    /** Daemons that share a machine and do not know it give their ranks the same shared memory. The ranks then crash. */
    private static final String TCP_ONLY = "self,tcp";

    /** The options of Open MPI that change the order in which ranks fill hosts. */
    private static final List<String> MAPPINGS = List.of(
            "map-by", "rank-by", "bynode", "bycore", "bysocket", "ppr", "npersocket", "rmaps_base_mapping_policy");

    private static final List<String> BINDINGS =
            List.of("bind-to", "bind-to-core", "bind-to-socket", "hwloc_base_binding_policy");

    /** Variables of all ranks, in addition to interfaces. Hydra passes on names only, so its own environment must have the values. */
    private static final Map<String, String> FIXED = Map.of(
            "NCCL_DEBUG", "INFO",
            "NCCL_SOCKET_FAMILY", "AF_INET",
            "HOROVOD_MPI_THREADS_DISABLE", "1");

    /** MPICH has no option for the arguments of ssh, but a variable: the name in MPICH 4, and the older name. */
    private static final List<String> MPICH_SSH = List.of("HYDRA_LAUNCHER_EXTRA_ARGS", "HYDRA_LAUNCH_EXTRA_ARGS");

    private final MpiJob job;
    private final Value hostfile;
    private final Optional<Value> ssh;
    private final List<String> names;
    private final MpirunArguments more;
    private final List<Value> words = new ArrayList<>();

    /**
     * @param ssh the arguments for its calls of ssh; empty: it does not call ssh
     * @param names the names of the variables that it passes on
     */
    RankCommand(MpiJob job, Value hostfile, Optional<Value> ssh, List<String> names) {
        this.job = job;
        this.hostfile = hostfile;
        this.ssh = ssh;
        this.names = List.copyOf(names);
        this.more = MpirunArguments.of(job.spec());
    }

    List<Value> words() {
        if (job.isHorovodrun()) {
            addHorovodrun();
        } else if (job.isHydra()) {
            addHydra();
        } else {
            addOpenMpi(job.mpi().kind() == Mpi.Kind.OPEN_MPI_5);
        }
        List<String> command = job.spec().command();
        // If every host has a launcher, each rank starts as a shell that finds the launcher's program.
        words.addAll(Launch.literally(job.hasLaunchers() ? RankShell.wrap(command) : command));
        return words;
    }

    /** Adds horovodrun with the arguments of Apulis' example. It passes on the whole environment by itself. */
    private void addHorovodrun() {
        add(Options.HOROVODRUN, "-np", ranks(), "-hostfile");
        words.add(hostfile);
        ssh.flatMap(any -> job.sshPort()).ifPresent(port -> add("-p", Integer.toString(port.value())));
        // horovodrun does not check that an interface exists. Without a given list, start.sh adds those interfaces
        // of the default that exist.
        job.chosenInterfaces()
                .filter(any -> !job.assignment().isAlone())
                .ifPresent(list -> add("--network-interface", list));
        if (!more.words().isEmpty()) {
            add("--mpi-args=" + String.join(" ", more.words()));
        }
    }

    /** Adds the mpirun of Intel MPI or MPICH, whose process manager is Hydra. */
    private void addHydra() {
        boolean isIntel = job.mpi().kind() == Mpi.Kind.INTEL;
        add(Options.MPIRUN, "-n", ranks(), "-f");
        words.add(hostfile);
        List<Integer> slots =
                job.assignment().hosts().stream().map(MpiHost::slots).distinct().toList();
        // If hosts have different numbers of ranks, the hostfile tells them.
        if (slots.size() == 1) {
            add("-ppn", Integer.toString(slots.get(0)));
        }
        if (ssh.isPresent()) {
            add(isIntel ? "-bootstrap" : "-launcher", "ssh");
        }
        if (ssh.isPresent() && isIntel) {
            add("-bootstrap-exec-args");
            words.add(ssh.get());
        }
        TreeSet<String> all = new TreeSet<>(names);
        all.addAll(RankVariables.FIXED);
        add("-envlist", String.join(",", all));
        add(more.words().toArray(String[]::new));
    }

    /** All variables that {@link #hydraEnvironment} may set. */
    static List<String> hydraVariables() {
        List<String> variables = new ArrayList<>(RankVariables.FIXED);
        variables.addAll(MPICH_SSH);
        return variables;
    }

    /** The variables that Hydra's own environment must have. */
    Map<String, Value> hydraEnvironment() {
        Map<String, Value> environment = new TreeMap<>();
        RankVariables.FIXED.forEach(name -> environment.put(name, Value.of(fixed(name))));
        if (job.mpi().kind() == Mpi.Kind.MPICH) {
            ssh.ifPresent(arguments -> MPICH_SSH.forEach(name -> environment.put(name, arguments)));
        }
        return environment;
    }

    /**
     * Adds the mpirun of Open MPI with the options of ModelArts' contract, in its order. All variables are passed on by name. The
     * contract uses a tune file for them, but that cannot hold every value, and other users of a host can read it.
     */
    private void addOpenMpi(boolean isNew) {
        String dash = isNew ? "--" : "-";
        add(Options.MPIRUN);
        if (job.isRoot()) {
            add("--allow-run-as-root");
        }
        add("-np", ranks(), dash + "hostfile");
        words.add(hostfile);
        if (ssh.isPresent()) {
            addLauncherParameter(isNew, "args");
            words.add(ssh.get());
        }
        addUnless(BINDINGS, dash + "bind-to", "none");
        addUnless(MAPPINGS, dash + "map-by", "slot");
        addVariables();
        // If a parameter is given twice, Open MPI joins the values, and refuses the result.
        addUnless(List.of("pml"), dash + "mca", "pml", "ob1");
        addUnless(List.of("btl"), dash + "mca", "btl", job.assignment().isOneMachine() ? TCP_ONLY : "^openib");
        addLogins(isNew);
        add(more.words().toArray(String[]::new));
    }

    /** Adds the usual option, unless the user gives one of these options, or Open MPI's variable of that name. */
    private void addUnless(List<String> given, String... usual) {
        boolean isVariable = given.stream()
                .anyMatch(name -> job.spec().variable("OMPI_MCA_" + name).isPresent());
        if (!isVariable && !more.has(given)) {
            add(usual);
        }
    }

    private void addLogins(boolean isNew) {
        int hosts = job.assignment().hosts().size();
        if (hosts > 1) {
            addLauncherParameter(isNew, "no_tree_spawn");
            add("true");
        }
        if (hosts > USUAL_LOGINS) {
            addLauncherParameter(isNew, "num_concurrent");
            add(Integer.toString(hosts));
        }
    }

    private void addVariables() {
        RankVariables.FIXED.forEach(name -> addVariable(name + "=" + fixed(name)));
        names.forEach(this::addVariable);
    }

    private String fixed(String name) {
        return FIXED.getOrDefault(name, job.interfaces());
    }

    /** Adds a parameter of the component that starts daemons. It has another option and another name since Open MPI 5. */
    private void addLauncherParameter(boolean isNew, String name) {
        add(isNew ? "--prtemca" : "-mca", (isNew ? "plm_ssh_" : "plm_rsh_") + name);
    }

    private void addVariable(String variable) {
        add("-x", variable);
    }

    private String ranks() {
        return Integer.toString(job.assignment().ranks());
    }

    private void add(String... more) {
        words.addAll(Launch.literally(List.of(more)));
    }
}
