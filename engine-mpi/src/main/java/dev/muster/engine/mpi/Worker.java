package dev.muster.engine.mpi;

import dev.muster.spi.LaunchPlan;
import dev.muster.spi.Note;
import dev.muster.spi.Outcome;
import dev.muster.spi.PlanException;

/** A node that only serves: mpirun starts ranks on it, and it ends as the job does. */
final class Worker {

    private Worker() {}

    static LaunchPlan plan(MpiJob job) throws PlanException {
        NodeAssignment assignment = job.assignment();
        PlanBuilder plan = new PlanBuilder(job.spec(), assignment.index());
        plan.note(Note.info("this node is " + assignment.label(assignment.index()) + " of "
                + assignment.hosts().size() + "; " + assignment.label(0) + " runs "
                + job.launcher().word()
                + ", and the output of all ranks is there"));
        SshEndpoint.of(job).addTo(plan);
        return plan.plan(assignment.hosts().size(), Outcome.FOLLOWS_LEADER);
    }
}
