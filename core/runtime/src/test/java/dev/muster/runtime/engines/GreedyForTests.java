package dev.muster.runtime.engines;

import dev.muster.spi.Engine;
import dev.muster.spi.EngineDescriptor;
import dev.muster.spi.EngineOption;
import dev.muster.spi.Input;
import dev.muster.spi.JobSpec;
import dev.muster.spi.LaunchPlan;
import dev.muster.spi.Node;
import dev.muster.spi.PlanRequest;
import java.util.List;

/** An engine that declares an option of Muster itself. */
public final class GreedyForTests implements Engine {

    @Override
    public EngineDescriptor descriptor() {
        return EngineDescriptor.of("greedy", "takes what is not its own")
                .withOptions(EngineOption.of("grace", EngineOption.Kind.TEXT, "mine"));
    }

    @Override
    public List<Input> inputs(JobSpec job, Node node) {
        return List.of();
    }

    @Override
    public LaunchPlan plan(PlanRequest request) {
        throw new IllegalStateException("never asked");
    }
}
