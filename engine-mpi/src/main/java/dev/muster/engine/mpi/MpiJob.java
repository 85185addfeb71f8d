package dev.muster.engine.mpi;

import dev.muster.spi.InputValue;
import dev.muster.spi.JobSpec;
import dev.muster.spi.Note;
import dev.muster.spi.PlanException;
import dev.muster.spi.PlanRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A job as this node has to boot it.
 *
 * @param request what it is made from
 * @param assignment the hosts, and which this is
 * @param slots ranks per host
 * @param interfaces for NCCL and MPI
 * @param variables of the ranks
 * @param mpi of this node
 * @param launcher what starts the ranks
 * @param hostfile where somebody gave one
 */
record MpiJob(
        PlanRequest request,
        NodeAssignment assignment,
        Slots slots,
        Interfaces interfaces,
        RankVariables variables,
        Mpi mpi,
        Launcher launcher,
        Optional<Hostfile> hostfile) {

    /** mpirun takes it as the end of a command, and there is no way to say that it is not. */
    private static final String SEPARATOR = ":";

    static MpiJob of(PlanRequest request, NodeAssignment assignment, Optional<Hostfile> hostfile) throws PlanException {
        JobSpec job = request.job();
        if (job.command().contains(SEPARATOR)) {
            throw new PlanException(
                    PlanException.Kind.USAGE,
                    "the command has the argument \":\", which mpirun takes for the end of one command and the"
                            + " beginning of another. Put the command into a script");
        }
        return new MpiJob(
                request,
                assignment,
                Slots.of(job, request.node()),
                Interfaces.of(job),
                RankVariables.of(job),
                Mpi.find(request),
                launcher(request),
                hostfile);
    }

    JobSpec spec() {
        return request.job();
    }

    boolean isRoot() {
        return request.node().machine().uid() == 0;
    }

    /** Whether a launcher of the job is on every host with ranks. */
    boolean hasLaunchers() {
        return Sshd.of(spec()) != Sshd.NONE;
    }

    /** All ranks of the job. */
    int ranks() {
        return hostfile.map(Hostfile::slots).orElseGet(() -> assignment.hosts().size() * slots.number());
    }

    /** The shell between the launcher and the ranks. */
    List<String> shell() {
        return RankShell.of(request);
    }

    /** How many ranks a host takes. */
    int slotsOf(int node) {
        return hostfile.map(file -> file.lines().get(node).slots()).orElse(slots.number());
    }

    /** The ranks of each host, where all have the same number. */
    Optional<Integer> slotsOfEach() {
        return hostfile.isPresent() ? hostfile.get().slotsOfEach() : Optional.of(slots.number());
    }

    /** What the user should know about the ranks. */
    List<Note> notes() {
        List<Note> notes = new ArrayList<>();
        notes.add(Note.info(Messages.count(ranks(), "rank") + " on "
                + Messages.count(
                        hostfile.map(file -> file.lines().size())
                                .orElse(assignment.hosts().size()),
                        "host") + " ("
                + hostfile.map(Hostfile::origin).orElse(slots.origin()) + "), started by " + launcher.word() + " of "
                + mpi.kind().title()));
        if (isRoot() && mpi.kind().isOpenMpi()) {
            notes.add(Note.info("the job runs with uid 0, and " + launcher.word() + " is told to allow that"));
        }
        if (mpi.isGuess()) {
            notes.add(Note.warning("mpirun --version does not tell whose mpirun it is; taking it for Open MPI 4"));
        }
        variables
                .replaced()
                .forEach(name ->
                        notes.add(Note.info(name + " of the environment is replaced, as ModelArts' contract has it")));
        RankShell.warning(request).ifPresent(notes::add);
        if (!assignment.isAlone() && !variables.unspeakable().isEmpty()) {
            notes.add(Note.warning(
                    "mpirun cannot pass these variables on to other nodes: " + quoted(variables.unspeakable())));
        }
        return notes;
    }

    private static String quoted(List<String> names) {
        return String.join(", ", names.stream().map(Messages::quote).toList());
    }

    private static Launcher launcher(PlanRequest request) throws PlanException {
        Launcher launcher = Launcher.of(request.job());
        boolean isThere = launcher == Launcher.MPIRUN
                || request.input(launcher.word(), InputValue.Program.class).isPresent();
        if (!isThere) {
            throw PlanException.unavailable("there is no horovodrun on PATH. Install Horovod, or leave -o "
                    + Options.LAUNCHER + "=horovodrun out: mpirun starts Horovod's scripts too");
        }
        return launcher;
    }
}
