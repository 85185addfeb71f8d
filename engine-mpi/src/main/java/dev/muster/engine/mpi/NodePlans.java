package dev.muster.engine.mpi;

import dev.muster.spi.LaunchPlan;
import dev.muster.spi.Note;
import dev.muster.spi.Outcome;
import dev.muster.spi.PlanException;

/** The plans of nodes that have launchers of their own. */
final class NodePlans {

    private NodePlans() {}

    /** The only node: just mpirun, no sshd and no ssh. */
    static LaunchPlan alone(MpiJob job) {
        PlanBuilder plan = new PlanBuilder(job.spec(), 0, 1, Outcome.ALL_TASKS);
        plan.parts.notes(job.notes());
        plan.parts.files(RankShell.files());
        new MpirunTask(job, plan).startHere();
        return plan.parts.build();
    }

    /** Each of several nodes serves ssh. The first runs mpirun, which starts ranks on all, and the job ends as mpirun does. */
    static LaunchPlan ofSeveral(MpiJob job) throws PlanException {
        HostAssignment assignment = job.assignment();
        int index = assignment.index();
        PlanBuilder plan = new PlanBuilder(
                job.spec(), index, assignment.hosts().size(), index == 0 ? Outcome.ALL_TASKS : Outcome.FOLLOWS_LEADER);
        SshdService sshd = new SshdService(job);
        String place = "this node is " + assignment.label(index) + " of "
                + assignment.hosts().size();
        if (index == 0) {
            plan.parts.note(Note.info(place + " and runs " + job.launcher()));
            plan.parts.notes(job.notes());
        } else {
            plan.parts.note(Note.info(place + "; " + assignment.label(0) + " runs " + job.launcher()
                    + ", and the output of all ranks is there"));
        }
        sshd.addTo(plan);
        if (index == 0) {
            new MpirunTask(job, plan).start(new SshClient(job), sshd.allServe());
        }
        return plan.parts.build();
    }
}
