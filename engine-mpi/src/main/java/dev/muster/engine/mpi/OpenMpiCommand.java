package dev.muster.engine.mpi;

import dev.muster.spi.Launch;
import dev.muster.spi.Value;
import java.util.ArrayList;
import java.util.List;

/**
 * The mpirun of Open MPI with the options of ModelArts' contract, in its order. Instead of its tune file, which cannot hold
 * every value and lies open on every host, all variables are passed on by name.
 */
final class OpenMpiCommand {

    /** As many calls of ssh as mpirun has at a time by default. */
    private static final int USUAL_LOGINS = 128;

    /** Daemons that share a machine without knowing it give their ranks the same shared memory, which then crash. */
    private static final String TCP_ONLY = "self,tcp";

    private static final String LIBRARY_PATH = "LD_LIBRARY_PATH";

    private final RankCommand wanted;
    private final boolean isNew;
    private final List<Value> words = new ArrayList<>();

    private OpenMpiCommand(RankCommand wanted) {
        this.wanted = wanted;
        this.isNew = wanted.kind() == Mpi.Kind.OPEN_MPI_5;
    }

    static List<Value> of(RankCommand wanted) {
        OpenMpiCommand command = new OpenMpiCommand(wanted);
        command.addPlaces();
        command.addVariables();
        command.addTransport();
        command.words.addAll(Launch.literally(wanted.command()));
        return command.words;
    }

    private void addPlaces() {
        add("mpirun");
        if (wanted.job().isRoot()) {
            add("--allow-run-as-root");
        }
        add("-np", Integer.toString(wanted.job().ranks()), option("hostfile"));
        words.add(wanted.hostfile());
        wanted.ssh().ifPresent(arguments -> {
            addLauncherParameter("args");
            words.add(arguments);
        });
        add(option("bind-to"), "none", option("map-by"), "slot");
    }

    private void addVariables() {
        addVariable("NCCL_DEBUG=INFO");
        addVariable("NCCL_SOCKET_IFNAME=" + wanted.job().interfaces().list());
        addVariable("NCCL_SOCKET_FAMILY=AF_INET");
        addVariable("HOROVOD_MPI_THREADS_DISABLE=1");
        if (wanted.hasLibraryPath()) {
            addVariable(LIBRARY_PATH);
        }
        wanted.names().stream().filter(name -> !name.equals(LIBRARY_PATH)).forEach(this::addVariable);
    }

    private void addTransport() {
        add(
                option("mca"),
                "pml",
                "ob1",
                option("mca"),
                "btl",
                wanted.job().assignment().isOneMachine() ? TCP_ONLY : "^openib");
        if (wanted.hosts() > 1) {
            addLauncherParameter("no_tree_spawn");
            add("true");
            if (wanted.hosts() > USUAL_LOGINS) {
                addLauncherParameter("num_concurrent");
                add(Integer.toString(wanted.hosts()));
            }
        }
    }

    /** Parameters of what starts mpirun's daemons have another place and another name since Open MPI 5. */
    private void addLauncherParameter(String name) {
        add(isNew ? "--prtemca" : "-mca", (isNew ? "plm_ssh_" : "plm_rsh_") + name);
    }

    private void addVariable(String variable) {
        add("-x", variable);
    }

    private String option(String name) {
        return (isNew ? "--" : "-") + name;
    }

    private void add(String... more) {
        RankCommand.add(words, more);
    }
}
