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

/** The task that starts the ranks: mpirun, or what runs it. */
record MpirunTask(MpiJob job, PlanBuilder plan) {

    /** The task's id, whichever program it is. */
    static final String ID = "mpirun";

    /** Intel MPI takes the number of ranks per host from the resource manager and not from its arguments, unless told. */
    private static final String INTEL_PLACEMENT = "I_MPI_JOB_RESPECT_PROCESS_PLACEMENT";

    /** The components are called so by Open MPI 4, and by Open MPI 5, which has PRRTE's. */
    static final List<String> RESOURCE_MANAGER =
            List.of("OMPI_MCA_plm", "OMPI_MCA_ras", "PRTE_MCA_plm", "PRTE_MCA_ras", INTEL_PLACEMENT);

    private static final String HOSTFILE = "hostfile";
    private static final String HOSTS = "hosts";
    private static final String NOTHING = "-";

    /** On this node only. Without a hostfile mpirun would not start more ranks than there are cores. */
    void startHere() {
        ValueText localhost =
                new ValueText().line("localhost", room(job.assignment().ranks()));
        Value hostfile = add(file(HOSTFILE, localhost));
        RankCommand wanted = new RankCommand(job, hostfile, Optional.empty(), List.of());
        add(wanted, NOTHING, Value.of(NOTHING), Condition.IMMEDIATELY, Condition.IMMEDIATELY);
    }

    /** On several nodes of the job; a script writes the hostfile once all of them have addresses. */
    void start(SshClient ssh, Condition startWhen) {
        Value hostfile = Value.joined(Value.privateDirectory(), Value.of("/" + HOSTFILE));
        String form = job.isHydra() ? "hydra" : "openmpi";
        RankCommand wanted =
                new RankCommand(job, hostfile, ssh.arguments(), job.variables().forwarded());
        add(wanted, form, ssh.configuration(), startWhen, Condition.exited(List.of(ID)));
    }

    /** On hosts without a launcher. */
    void startOnServed(SshClient ssh) {
        ValueText lines = new ValueText();
        job.assignment().hosts().forEach(host -> lines.line(host.login(), room(host.slots())));
        List<String> names = new ArrayList<>(job.variables().forwarded());
        names.addAll(job.variables().activated());
        // By it the ranks of this run are known on hosts where no launcher runs.
        names.add(RankVariables.MARKER);
        Value hostfile = add(file(HOSTFILE, lines));
        RankCommand wanted = new RankCommand(job, hostfile, ssh.arguments(), names);
        // Nobody but mpirun tells ranks to end.
        add(wanted, NOTHING, ssh.configuration(), Condition.IMMEDIATELY, Condition.IMMEDIATELY);
    }

    /** For the scripts: what ssh is told to find each host ({@code -}: it is this one), its name, how many ranks it takes, where it is. */
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

    /** @param until what it waits for: the end of this host's own ranks tells nothing about the others */
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
        plan.parts.file(file);
        return file.path();
    }

    /**
     * What it needs beside the environment of the job. It must not ask a resource manager for hosts, nor start daemons with it. Our sshd
     * and our hostfile count: the addresses in it are in no allocation, and a step for the daemons would wait for the resources that the
     * launchers have.
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

    private String room(int slots) {
        return (job.isHydra() ? ":" : " slots=") + slots;
    }

    /** Whose options the start script adds to the command, once all hosts are there, as that script calls it. */
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
