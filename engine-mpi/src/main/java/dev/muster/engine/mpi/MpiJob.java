package dev.muster.engine.mpi;

import dev.muster.spi.JobSpec;
import dev.muster.spi.Note;
import dev.muster.spi.PlanException;
import dev.muster.spi.PlanRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A job as this node has to start it.
 *
 * @param request of the runtime
 * @param assignment the hosts, and the index of this one
 * @param origin where the number of ranks per host comes from
 * @param sshPort of all hosts; empty: ssh knows it
 * @param chosenInterfaces network interfaces for NCCL and MPI, if the user or the platform lists them
 * @param variables of the ranks
 * @param mpi of this node
 */
record MpiJob(
        PlanRequest request,
        HostAssignment assignment,
        String origin,
        Optional<Options.Count> sshPort,
        Optional<String> chosenInterfaces,
        RankVariables variables,
        Mpi mpi) {

    /** The list of interfaces in ModelArts' contract. */
    static final String USUAL_INTERFACES = "eth0,bond0";

    /** mpirun always takes this word for the end of a command; it cannot be quoted. */
    static final String SEPARATOR = ":";

    static MpiJob of(PlanRequest request, Optional<Hostfile> hostfile) throws PlanException {
        JobSpec job = request.job();
        Options.Count slots = Options.slots(job, request.node());
        Optional<Options.Count> port = Options.port(job);
        HostAssignment assignment = assignment(request, hostfile, slots.value());
        MpirunArguments.check(job);
        if (job.command().contains(SEPARATOR)) {
            throw new PlanException(
                    PlanException.Kind.USAGE,
                    "the command has the argument \":\", which mpirun takes for the end of one command and the"
                            + " beginning of another. Put the command into a script");
        }
        return new MpiJob(
                request,
                assignment,
                hostfile.map(Hostfile::origin).orElse(slots.origin()),
                port,
                Options.interfaces(job),
                RankVariables.of(job),
                Mpi.find(request));
    }

    private static HostAssignment assignment(PlanRequest request, Optional<Hostfile> hostfile, int slots)
            throws PlanException {
        if (hostfile.isEmpty()) {
            List<MpiHost> named = request.node().hosts().stream()
                    .map(host -> MpiHost.of(host, slots))
                    .toList();
            return HostAssignment.of(request, named, "--hosts", slots);
        }
        Hostfile file = hostfile.get();
        return Sshd.of(request.job()).isOfJob()
                ? HostAssignment.of(request, file.hosts(), file.path() + " (" + file.origin() + ")", slots)
                : new HostAssignment(file.hosts(), 0);
    }

    JobSpec spec() {
        return request.job();
    }

    boolean isRoot() {
        return request.node().machine().uid() == 0;
    }

    /** Whether a launcher of the job runs on every host with ranks. */
    boolean hasLaunchers() {
        return Sshd.of(spec()).isOfJob();
    }

    boolean isHorovodrun() {
        return Options.isHorovodrun(spec());
    }

    /** Whether mpirun understands Hydra's options and hostfiles. */
    boolean isHydra() {
        return !isHorovodrun() && !mpi.kind().isOpenMpi();
    }

    /** The program that starts the ranks. */
    String launcher() {
        return isHorovodrun() ? Options.HOROVODRUN : Options.MPIRUN;
    }

    String interfaces() {
        return chosenInterfaces.orElse(USUAL_INTERFACES);
    }

    /** What the user should know about the ranks. */
    List<Note> notes() {
        List<Note> notes = new ArrayList<>();
        notes.add(Note.info(Messages.count(assignment.ranks(), "rank") + " on "
                + Messages.count(assignment.hosts().size(), "host") + " (" + origin + "), started by " + launcher()
                + " of " + mpi.kind().title));
        if (isRoot() && mpi.kind().isOpenMpi()) {
            notes.add(Note.info("the job runs with uid 0, and " + launcher() + " is told to allow that"));
        }
        if (mpi.isGuess()) {
            notes.add(Note.warning("mpirun --version does not tell whose mpirun it is; taking it for Open MPI 4"));
        }
        for (String name : variables.replaced()) {
            notes.add(Note.info(name + " of the environment is replaced, as ModelArts' contract has it"));
        }
        List<String> lost =
                variables.invalidNames().stream().map(Messages::quote).toList();
        if (!hasLaunchers() && !lost.isEmpty()) {
            notes.add(Note.warning("no launcher is on the hosts, and mpirun cannot pass these variables on to them: "
                    + String.join(", ", lost)));
        }
        return notes;
    }
}
