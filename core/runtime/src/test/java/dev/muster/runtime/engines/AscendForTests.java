package dev.muster.runtime.engines;

import dev.muster.spi.Engine;
import dev.muster.spi.EngineDescriptor;
import dev.muster.spi.EngineOption;
import dev.muster.spi.Input;
import dev.muster.spi.JobSpec;
import dev.muster.spi.LaunchPlan;
import dev.muster.spi.Node;
import dev.muster.spi.Outcome;
import dev.muster.spi.PlanRequest;
import java.util.List;

/** An engine that has the options of a real one and plans nothing. */
public final class AscendForTests implements Engine {

    @Override
    public EngineDescriptor descriptor() {
        return EngineDescriptor.of("ascend", "one process per card")
                .withOptions(
                        EngineOption.of("rank-table", EngineOption.Kind.PATH, "the rank table"),
                        EngineOption.of("verbose", EngineOption.Kind.SWITCH, "say more"));
    }

    @Override
    public List<Input> inputs(JobSpec job, Node node) {
        return List.of();
    }

    @Override
    public LaunchPlan plan(PlanRequest request) {
        return LaunchPlan.builder(Outcome.ALL_TASKS).build();
    }
}
