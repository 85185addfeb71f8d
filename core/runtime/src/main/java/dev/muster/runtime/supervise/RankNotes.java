package dev.muster.runtime.supervise;

import dev.muster.runtime.process.Termination;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** What {@linkplain dev.muster.spi.HostedRanks hosted ranks} have noted since somebody asked last. */
record RankNotes(List<Started> started, List<Failed> failed, Set<Integer> gone) {

    static final RankNotes NOTHING = new RankNotes(List.of(), List.of(), Set.of());

    /** @param gone the ranks that have ended, and whose shells keep that from whoever started them */
    RankNotes {
        started = List.copyOf(started);
        failed = List.copyOf(failed);
        gone = Set.copyOf(gone);
    }

    /**
     * A rank runs.
     *
     * @param pid the process whose end is the rank's
     * @param ticks when it started, in clock ticks since the machine did
     */
    record Started(int rank, long pid, long ticks) {}

    /**
     * A rank has ended badly.
     *
     * @param missing the program that was not found
     * @param isAlone whether a signal that ended it was for it alone, not for all ranks of its mpirun
     * @param nanoTime when, on the clock of all events
     */
    record Failed(int rank, Termination how, Optional<String> missing, boolean isAlone, long nanoTime) {}
}
