package dev.muster.engine.mpi;

import dev.muster.spi.Input;
import dev.muster.spi.InputValue;
import dev.muster.spi.PlanException;
import dev.muster.spi.PlanRequest;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The MPI of this node, from the output of its own mpirun.
 *
 * @param kind the family whose options it understands
 * @param isGuess whether mpirun did not tell its family
 */
record Mpi(Kind kind, boolean isGuess) {

    /** The families of mpirun. */
    enum Kind {
        OPEN_MPI_4("Open MPI 4"),
        /** Open MPI 5 and newer, which use PRRTE. */
        OPEN_MPI_5("Open MPI 5"),
        INTEL("Intel MPI"),
        MPICH("MPICH");

        final String title;

        Kind(String title) {
            this.title = title;
        }

        boolean isOpenMpi() {
            return this == OPEN_MPI_4 || this == OPEN_MPI_5;
        }
    }

    private static final String VERSION = "mpirun --version";
    private static final Duration DEADLINE = Duration.ofSeconds(30);
    private static final Pattern OPEN_MPI = Pattern.compile("\\(Open MPI\\) v?([0-9]{1,3})\\.");
    private static final int FIRST_WITH_PRRTE = 5;

    static List<Input> inputs() {
        return List.of(
                new Input.Program(Options.MPIRUN, Options.MPIRUN, List.of()),
                new Input.Program(Options.HOROVODRUN, Options.HOROVODRUN, List.of()),
                new Input.CommandOutput(VERSION, List.of(Options.MPIRUN, "--version"), DEADLINE));
    }

    static Mpi find(PlanRequest request) throws PlanException {
        if (request.input(Options.MPIRUN, InputValue.Program.class).isEmpty()) {
            throw PlanException.unavailable(
                    "there is no mpirun on PATH. Install an MPI (Debian: apt-get install openmpi-bin), or"
                            + " put the directory of its programs into PATH");
        }
        boolean isHorovodrun = Options.isHorovodrun(request.job());
        if (isHorovodrun
                && request.input(Options.HOROVODRUN, InputValue.Program.class).isEmpty()) {
            throw PlanException.unavailable("there is no horovodrun on PATH. Install Horovod, or leave -o "
                    + Options.LAUNCHER + "=horovodrun out: mpirun starts Horovod's scripts too");
        }
        Optional<InputValue.CommandOutput> said = request.input(VERSION, InputValue.CommandOutput.class);
        return of(said.map(InputValue.CommandOutput::output).orElse(""));
    }

    /** The MPI by the output of {@code mpirun --version}. */
    static Mpi of(String version) {
        Matcher open = OPEN_MPI.matcher(version);
        if (open.find()) {
            boolean isNew = Integer.parseInt(open.group(1)) >= FIRST_WITH_PRRTE;
            return new Mpi(isNew ? Kind.OPEN_MPI_5 : Kind.OPEN_MPI_4, false);
        }
        if (version.contains("Intel(R) MPI")) {
            return new Mpi(Kind.INTEL, false);
        }
        return version.contains("HYDRA") ? new Mpi(Kind.MPICH, false) : new Mpi(Kind.OPEN_MPI_4, true);
    }
}
