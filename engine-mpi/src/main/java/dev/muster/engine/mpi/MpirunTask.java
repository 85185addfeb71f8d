package dev.muster.engine.mpi;

import dev.muster.spi.Condition;
import dev.muster.spi.GeneratedFile;
import dev.muster.spi.Value;
import dev.muster.spi.ValueText;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The task that starts the ranks: mpirun, or horovodrun. */
record MpirunTask(MpiJob job, PlanBuilder plan) {

    /** The id of the task, also for horovodrun. */
    static final String ID = "mpirun";

    /** Unless this is 0, Intel MPI takes the ranks per host from the resource manager, not from its arguments. */
    private static final String INTEL_PLACEMENT = "I_MPI_JOB_RESPECT_PROCESS_PLACEMENT";

    /** The variables that choose a resource manager: of Open MPI 4, of Open MPI 5 (PRRTE), and of Intel MPI. */
    static final List<String> RESOURCE_MANAGER =
            List.of("OMPI_MCA_plm", "OMPI_MCA_ras", "PRTE_MCA_plm", "PRTE_MCA_ras", INTEL_PLACEMENT);

    private static final String HOSTFILE = "hostfile";
    private static final String HOSTS = "hosts";
    private static final String NOTHING = "-";

    /** Adds the task for ranks on this node only. Without a hostfile mpirun would not start more ranks than cores. */
    void startHere() {
        ValueText localhost =
                new ValueText().line("localhost", slotsText(job.assignment().ranks()));
        Value hostfile = add(file(HOSTFILE, localhost));
        RankCommand wanted = new RankCommand(job, hostfile, Optional.empty(), List.of());
        add(wanted, NOTHING, Value.of(NOTHING), Condition.IMMEDIATELY, Condition.IMMEDIATELY);
    }

    /** Adds the task for ranks on several nodes. A script writes the hostfile when all nodes have addresses. */
    void start(SshClient ssh, Condition startWhen) {
        Value hostfile = Value.joined(Value.privateDirectory(), Value.of("/" + HOSTFILE));
        String form = job.isHydra() ? "hydra" : "openmpi";
        RankCommand wanted =
                new RankCommand(job, hostfile, ssh.arguments(), job.variables().forwarded());
        add(wanted, form, ssh.configuration(), startWhen, Condition.exited(List.of(ID)));
    }

    /** Adds the task for ranks on hosts without a launcher. */
    void startOnServed(SshClient ssh) {
        ValueText lines = new ValueText();
        job.assignment().hosts().forEach(host -> lines.line(host.login(), slotsText(host.slots())));
        List<String> names = new ArrayList<>(job.variables().forwarded());
        names.addAll(job.variables().activated());
        // It marks the ranks of this run on hosts where no launcher runs: signal.sh finds them by it.
        names.add(RankVariables.MARKER);
        Value hostfile = add(file(HOSTFILE, lines));
        RankCommand wanted = new RankCommand(job, hostfile, ssh.arguments(), names);
        // No launcher runs there, so there is no end of ranks to wait for: mpirun and signal.sh stop them.
        add(wanted, NOTHING, ssh.configuration(), Condition.IMMEDIATELY, Condition.IMMEDIATELY);
    }

    /** The file of hosts for the scripts: for each host the argument of ssh ({@code -}: this host), its name, ranks and address. */
    static GeneratedFile hosts(MpiJob job) {
        ValueText text = new ValueText();
        for (MpiHost host : job.assignment().hosts()) {
            text.line(
                    host.isHere() ? NOTHING : host.login(),
                    " " + host.name() + " " + host.slots() + " " + host.address());
        }
        return file(HOSTS, text);
    }

    private static GeneratedFile file(String name, ValueText text) {
        return new GeneratedFile(name, Optional.empty(), name, text.value());
    }

    /** @param until what the task waits for in a stop: when this host's ranks have ended, ranks of other hosts may still run */
    private void add(RankCommand wanted, String form, Value sshConfiguration, Condition startWhen, Condition until) {
        Value hosts = add(hosts(job));
        Value script = add(Scripts.START);
        List<Value> command = new ArrayList<>(List.of(
                Value.of(RankShell.SHELL),
                script,
                Value.privateDirectory(),
                Value.of(plan.log(ID)),
                Value.of(style()),
                Value.of(job.interfaces()),
                hosts,
                Value.of(form),
                Value.of(job.spec().inputTimeout().toSeconds()),
                sshConfiguration));
        command.addAll(wanted.words());
        plan.task(ID, command, environment(wanted), startWhen, RankTasks.ofMpirun(job, until));
    }

    private Value add(GeneratedFile file) {
        plan.builder.file(file);
        return file.path();
    }

    /**
     * The variables of the task in addition to the job's environment. mpirun must use the job's sshd and hostfile, not the resource
     * manager: the addresses in the hostfile are in no allocation, and a job step for the daemons would wait for the resources that the
     * launchers hold.
     */
    private Map<String, Value> environment(RankCommand wanted) {
        Map<String, Value> set = new TreeMap<>();
        job.spec()
                .platform()
                .resourceManager()
                .ifPresent(manager -> RESOURCE_MANAGER.forEach(
                        name -> set.put(name, Value.of(name.equals(INTEL_PLACEMENT) ? "0" : "^" + manager))));
        if (job.hasLaunchers()) {
            set.putAll(RankShell.variables(job.spec()));
        }
        if (job.isHydra()) {
            set.putAll(wanted.hydraEnvironment());
        }
        return set;
    }

    private String slotsText(int slots) {
        return (job.isHydra() ? ":" : " slots=") + slots;
    }

    /** The argument of start.sh that names the program's family. The script adds options of that family to the command. */
    private String style() {
        if (job.assignment().isAlone()) {
            return job.isHydra() ? "none-hydra" : "none";
        }
        if (job.isHorovodrun()) {
            return job.chosenInterfaces().isPresent() ? "horovodrun" : "horovodrun-interfaces";
        }
        return switch (job.mpi().kind()) {
            case OPEN_MPI_4 -> "openmpi";
            case OPEN_MPI_5 -> "openmpi5";
            case INTEL, MPICH -> "hydra";
        };
    }
}
