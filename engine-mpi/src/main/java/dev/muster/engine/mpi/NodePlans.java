package dev.muster.engine.mpi;

import dev.muster.spi.LaunchPlan;
import dev.muster.spi.Note;
import dev.muster.spi.Outcome;
import dev.muster.spi.PlanException;
import java.util.List;

/** The plans of nodes that have launchers of their own. */
final class NodePlans {

    private NodePlans() {}

    /** The first node of several, each of which serves ssh. It runs mpirun, and the job ends as mpirun does. */
    static LaunchPlan first(MpiJob job) throws PlanException {
        SshEndpoint endpoint = SshEndpoint.of(job);
        PlanBuilder plan =
                new PlanBuilder(job.spec(), 0, job.assignment().hosts().size(), Outcome.ALL_TASKS);
        plan.parts.note(Note.info("this node is " + job.assignment().label(0) + " of "
                + job.assignment().hosts().size() + " and runs "
                + job.launcher().word()));
        plan.parts.notes(job.notes());
        endpoint.addTo(plan);
        new Ranks(job, plan)
                .start(HostLines.of(job, plan), endpoint.ssh(), host -> false, List.of(), endpoint.allServe());
        return plan.parts.build();
    }

    /** The only node: just mpirun, no sshd and no ssh. */
    static LaunchPlan alone(MpiJob job) {
        PlanBuilder plan = new PlanBuilder(job.spec(), 0, 1, Outcome.ALL_TASKS);
        plan.parts.notes(job.notes());
        plan.parts.files(RankShell.files());
        // Without a hostfile mpirun would not start more ranks than there are cores.
        new Ranks(job, plan).start(HostLines.local(job, plan));
        return plan.parts.build();
    }

    /** A node that only serves: mpirun starts ranks on it, and it ends as the job does. */
    static LaunchPlan worker(MpiJob job) throws PlanException {
        NodeAssignment assignment = job.assignment();
        PlanBuilder plan = new PlanBuilder(
                job.spec(), assignment.index(), assignment.hosts().size(), Outcome.FOLLOWS_LEADER);
        plan.parts.note(Note.info("this node is " + assignment.label(assignment.index()) + " of "
                + assignment.hosts().size() + "; " + assignment.label(0) + " runs "
                + job.launcher().word()
                + ", and the output of all ranks is there"));
        SshEndpoint.of(job).addTo(plan);
        return plan.parts.build();
    }
}
