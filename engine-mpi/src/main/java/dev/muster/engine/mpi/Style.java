package dev.muster.engine.mpi;

/** Whose options the start script adds to the command, once all hosts are there. */
enum Style {
    /** None: there is one host only. */
    NONE("none"),
    /** The same; the words about its end are another program's. */
    NONE_HYDRA("none-hydra"),
    OPEN_MPI("openmpi"),
    OPEN_MPI_5("openmpi5"),
    HYDRA("hydra"),
    /** The command calls ssh itself and cannot be told with which configuration. */
    HOROVODRUN("horovodrun"),
    /** The same, and it has to be told which of the interfaces there are. */
    HOROVODRUN_INTERFACES("horovodrun-interfaces");

    private final String word;

    Style(String word) {
        this.word = word;
    }

    static Style of(MpiJob job) {
        boolean isHydra = !job.mpi().kind().isOpenMpi();
        if (job.assignment().isAlone()) {
            return isHydra && job.launcher() == Launcher.MPIRUN ? NONE_HYDRA : NONE;
        }
        if (job.launcher() == Launcher.HOROVODRUN) {
            return job.interfaces().isChosen() ? HOROVODRUN : HOROVODRUN_INTERFACES;
        }
        return switch (job.mpi().kind()) {
            case OPEN_MPI_4 -> OPEN_MPI;
            case OPEN_MPI_5 -> OPEN_MPI_5;
            case INTEL, MPICH -> HYDRA;
        };
    }

    /** What the script calls it. */
    String word() {
        return word;
    }
}
