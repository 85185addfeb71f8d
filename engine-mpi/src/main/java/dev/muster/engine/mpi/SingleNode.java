package dev.muster.engine.mpi;

import dev.muster.spi.LaunchPlan;
import dev.muster.spi.Outcome;

/** A job of one node: just mpirun, no sshd and no ssh. */
final class SingleNode {

    private SingleNode() {}

    static LaunchPlan plan(MpiJob job) {
        Parts parts = new Parts(job.spec(), 0);
        job.notes().forEach(parts::note);
        RankShell.files().forEach(parts::file);
        // Without a hostfile mpirun would not start more ranks than there are cores.
        new Ranks(job, parts).start(HostLines.local(job, parts));
        return parts.plan(1, Outcome.ALL_TASKS);
    }
}
