package dev.muster.engine.mpi;

import dev.muster.spi.LaunchPlan;
import dev.muster.spi.Note;
import dev.muster.spi.Outcome;
import dev.muster.spi.PlanException;
import java.util.List;

/** The node that runs mpirun; the job ends as mpirun does. */
final class LauncherNode {

    private LauncherNode() {}

    /** The first node of several, each of which serves ssh. */
    static LaunchPlan plan(MpiJob job) throws PlanException {
        SshEndpoint endpoint = SshEndpoint.of(job);
        PlanBuilder plan = new PlanBuilder(job.spec(), job.assignment().index());
        plan.note(Note.info("this node is " + job.assignment().label(0) + " of "
                + job.assignment().hosts().size() + " and runs "
                + job.launcher().word()));
        job.notes().forEach(plan::note);
        endpoint.addTo(plan);
        new Ranks(job, plan)
                .start(HostLines.of(job, plan), endpoint.ssh(), host -> false, List.of(), endpoint.allServe());
        return plan.plan(job.assignment().hosts().size(), Outcome.ALL_TASKS);
    }

    /** The only node: just mpirun, no sshd and no ssh. */
    static LaunchPlan alone(MpiJob job) {
        PlanBuilder plan = new PlanBuilder(job.spec(), 0);
        job.notes().forEach(plan::note);
        RankShell.files().forEach(plan::file);
        // Without a hostfile mpirun would not start more ranks than there are cores.
        new Ranks(job, plan).start(HostLines.local(job, plan));
        return plan.plan(1, Outcome.ALL_TASKS);
    }
}
