package dev.muster.engine.mpi;

import dev.muster.spi.LaunchPlan;
import dev.muster.spi.Note;
import dev.muster.spi.Outcome;
import dev.muster.spi.PlanException;
import java.util.List;

/** The node that runs mpirun; the job ends as mpirun does. */
final class NodeZero {

    private NodeZero() {}

    static LaunchPlan plan(MpiJob job) throws PlanException {
        Served served = Served.of(job);
        Parts parts = new Parts(job.spec(), job.seat().index());
        parts.note(Note.info("this node is " + job.seat().label(0) + " of "
                + job.seat().hosts().size() + " and runs " + job.launcher().word()));
        job.notes().forEach(parts::note);
        served.addTo(parts);
        new Ranks(job, parts)
                .start(HostLines.of(job, parts), served.ssh(), host -> false, List.of(), served.allServe());
        return parts.plan(job.seat().hosts().size(), Outcome.ALL_TASKS);
    }
}
