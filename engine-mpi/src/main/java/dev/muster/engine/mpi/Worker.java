package dev.muster.engine.mpi;

import dev.muster.spi.JobSpec;
import dev.muster.spi.LaunchPlan;
import dev.muster.spi.Note;
import dev.muster.spi.Outcome;
import dev.muster.spi.PlanException;
import java.util.OptionalInt;

/** A node that only serves: mpirun starts ranks on it, and it ends as the job does. */
final class Worker {

    private Worker() {}

    static LaunchPlan plan(MpiJob job) throws PlanException {
        Seat seat = job.seat();
        Parts parts = new Parts(job.spec(), seat.index());
        parts.note(Note.info("this node is " + seat.label(seat.index()) + " of "
                + seat.hosts().size() + "; " + seat.label(0) + " runs "
                + job.launcher().word()
                + ", and the output of all ranks is there"));
        Served.of(job).addTo(parts);
        return parts.plan(seat.hosts().size(), asTheJob(job.spec()));
    }

    /** How a node ends that does not start the ranks. */
    static Outcome asTheJob(JobSpec job) {
        boolean isAlwaysZero = job.option(Options.WORKER_EXIT)
                .filter(wanted -> wanted.value().equals(Options.WORKER_EXIT_ZERO))
                .isPresent();
        return new Outcome.FollowsLeader(isAlwaysZero ? OptionalInt.of(0) : OptionalInt.empty());
    }
}
