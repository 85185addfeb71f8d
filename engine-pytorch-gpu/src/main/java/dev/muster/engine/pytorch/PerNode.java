package dev.muster.engine.pytorch;

import dev.muster.spi.LaunchPlan;
import dev.muster.spi.Placement;
import dev.muster.spi.PlanException;
import dev.muster.spi.ProcessSpec;
import java.util.List;
import java.util.Optional;

/** The command once: a script that starts a process for each card itself, with {@code mp.spawn}. Ranks are nodes here. */
final class PerNode {

    private PerNode() {}

    static LaunchPlan plan(NodeShare share) throws PlanException {
        int index = share.position().index();
        ProcessSpec task = share.task(
                "rank-" + index,
                InitMethod.appended(share),
                Variables.toldRestarts(share.job()),
                "proc-rank-" + index,
                Optional.of(new Placement(index, 0, share.position().count())));
        return share.plan(List.of(task), List.of());
    }
}
