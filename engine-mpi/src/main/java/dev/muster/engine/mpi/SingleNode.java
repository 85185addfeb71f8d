package dev.muster.engine.mpi;

import dev.muster.spi.FileToWrite;
import dev.muster.spi.LaunchPlan;
import dev.muster.spi.Outcome;
import java.util.List;

/** A job of one node: just mpirun, no sshd and no ssh. */
final class SingleNode {

    private SingleNode() {}

    static LaunchPlan plan(MpiJob job) {
        Parts parts = new Parts(job.spec(), 0);
        job.notes().forEach(parts::note);
        // Without it mpirun would not start more ranks than there are cores.
        FileToWrite hostfile = HostLines.local(job);
        parts.files(List.of(hostfile, RankScript.FILE));
        new Ranks(job, parts).start(hostfile.path());
        return parts.plan(job.seat(), new Outcome.FirstOf(List.of(Ranks.haveEnded())));
    }
}
