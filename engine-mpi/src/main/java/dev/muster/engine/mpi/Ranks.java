package dev.muster.engine.mpi;

import dev.muster.spi.Condition;
import dev.muster.spi.GeneratedFile;
import dev.muster.spi.HostedRanks;
import dev.muster.spi.Launch;
import dev.muster.spi.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;

/** The task that starts the ranks: mpirun, or what runs it. */
final class Ranks {

    /** The task's id, whichever program it is. */
    static final String ID = "mpirun";

    /** Intel MPI takes the number of ranks per host from the resource manager and not from its arguments, unless told. */
    private static final String INTEL_PLACEMENT = "I_MPI_JOB_RESPECT_PROCESS_PLACEMENT";

    /** The components are called so by Open MPI 4, and by Open MPI 5, which has PRRTE's. */
    static final List<String> RESOURCE_MANAGER =
            List.of("OMPI_MCA_plm", "OMPI_MCA_ras", "PRTE_MCA_plm", "PRTE_MCA_ras", INTEL_PLACEMENT);

    private final MpiJob job;
    private final PlanBuilder plan;

    Ranks(MpiJob job, PlanBuilder plan) {
        this.job = job;
        this.plan = plan;
    }

    /** On this node only. */
    void start(HostLines hostfile) {
        RankCommand wanted = new RankCommand(job, hostfile.path(), Optional.empty(), Optional.empty(), List.of());
        add(wanted, hostfile, Ssh.UNUSED, host -> false, Condition.IMMEDIATELY, Condition.IMMEDIATELY);
    }

    /**
     * On several hosts.
     *
     * @param isCalledByNobody whether a host is this one, where no ssh leads to
     * @param more names of variables that the ranks need besides
     */
    void start(
            HostLines hostfile, Ssh ssh, Predicate<MpiHost> isCalledByNobody, List<String> more, Condition startWhen) {
        List<String> names = new ArrayList<>(job.variables().forwarded());
        names.addAll(more);
        boolean hasArguments = ssh.port().isPresent() || ssh.sshd() == Sshd.OWN;
        RankCommand wanted = new RankCommand(
                job,
                hostfile.path(),
                hasArguments ? Optional.of(ssh.arguments()) : Optional.empty(),
                ssh.port(),
                names);
        // It ends with the ranks of all hosts; the end of this host's own tells nothing about the others.
        add(wanted, hostfile, ssh, isCalledByNobody, startWhen, Condition.exited(List.of(ID)));
    }

    private void add(
            RankCommand wanted,
            HostLines hostfile,
            Ssh ssh,
            Predicate<MpiHost> isCalledByNobody,
            Condition startWhen,
            Condition until) {
        GeneratedFile places = HostLines.places(job, isCalledByNobody);
        List<Value> command = new ArrayList<>(Launch.literally(job.shell()));
        command.addAll(List.of(
                Scripts.START.path(),
                Value.privateDirectory(),
                Value.of(plan.log(ID)),
                Value.of(style()),
                Value.of(job.interfaces().list()),
                places.path(),
                Value.of(hostfile.form()),
                Value.of(job.spec().inputTimeout().toSeconds()),
                ssh.configuration()));
        command.addAll(program(wanted));
        Map<String, Value> environment = new TreeMap<>(withoutResourceManager());
        if (job.hasLaunchers()) {
            environment.putAll(RankShell.carried(job.spec()));
        }
        if (isHydra()) {
            environment.putAll(HydraCommand.environment(wanted));
        }
        plan.parts.file(places).file(Scripts.START);
        plan.task(ID, command, environment, startWhen, hosted(isCalledByNobody, until));
    }

    /**
     * Keeps whatever starts the ranks from asking a resource manager for hosts and from starting daemons with it. Our sshd and our hostfile
     * count: the addresses in it are in no allocation, and a step for the daemons would wait for the resources that the launchers have.
     */
    private Map<String, Value> withoutResourceManager() {
        Map<String, Value> set = new TreeMap<>();
        job.spec()
                .platform()
                .resourceManager()
                .ifPresent(manager -> RESOURCE_MANAGER.forEach(
                        name -> set.put(name, Value.of(name.equals(INTEL_PLACEMENT) ? "0" : "^" + manager))));
        return set;
    }

    /** Where hosts serve ssh themselves, this may be none of them. */
    private HostedRanks hosted(Predicate<MpiHost> isCalledByNobody, Condition until) {
        int ranks = 0;
        int calls = 0;
        for (int node = 0; node < job.assignment().hosts().size(); node++) {
            MpiHost host = job.assignment().hosts().get(node);
            boolean isThis = Sshd.of(job.spec()) == Sshd.NONE ? isCalledByNobody.test(host) : node == 0;
            ranks += isThis ? job.slotsOf(node) : 0;
            calls += isThis ? 0 : 1;
        }
        return RankTasks.ofMpirun(job, until, ranks, calls);
    }

    private List<Value> program(RankCommand wanted) {
        if (job.launcher() == Launcher.HOROVODRUN) {
            return HorovodCommand.of(wanted);
        }
        return isHydra() ? HydraCommand.of(wanted) : OpenMpiCommand.of(wanted);
    }

    /** Whose options the start script adds to the command, once all hosts are there, as that script calls it. */
    private String style() {
        if (job.assignment().isAlone()) {
            return isHydra() ? "none-hydra" : "none";
        }
        if (job.launcher() == Launcher.HOROVODRUN) {
            return job.interfaces().isChosen() ? "horovodrun" : "horovodrun-interfaces";
        }
        return switch (job.mpi().kind()) {
            case OPEN_MPI_4 -> "openmpi";
            case OPEN_MPI_5 -> "openmpi5";
            case INTEL, MPICH -> "hydra";
        };
    }

    private boolean isHydra() {
        return job.launcher() == Launcher.MPIRUN && !job.mpi().kind().isOpenMpi();
    }
}
