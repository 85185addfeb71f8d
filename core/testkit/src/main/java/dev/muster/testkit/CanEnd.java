package dev.muster.testkit;

import dev.muster.spi.LaunchPlan;
import dev.muster.spi.Outcome;
import dev.muster.spi.ProcessSpec;

/** Whether there is something for an outcome to be about. */
record CanEnd(LaunchPlan plan) implements Outcome.Cases<Boolean> {

    @Override
    public Boolean allTasks(Outcome.AllTasks all) {
        return plan.processes().stream().anyMatch(process -> process instanceof ProcessSpec.Task);
    }

    @Override
    public Boolean firstOf(Outcome.FirstOf first) {
        return !first.cases().isEmpty();
    }

    @Override
    public Boolean followsLeader(Outcome.FollowsLeader follows) {
        return true;
    }
}
