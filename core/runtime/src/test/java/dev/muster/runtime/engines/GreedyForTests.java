package dev.muster.runtime.engines;

import dev.muster.spi.Engine;
import dev.muster.spi.EngineDescriptor;
import dev.muster.spi.EngineOption;
import dev.muster.spi.LaunchPlan;
import dev.muster.spi.PlanRequest;

/** An engine that wants an option which is Muster's own. */
public final class GreedyForTests implements Engine {

    @Override
    public EngineDescriptor descriptor() {
        return EngineDescriptor.of("greedy", "takes what is not its own")
                .withOptions(EngineOption.of("grace", EngineOption.Kind.TEXT, "mine"));
    }

    @Override
    public LaunchPlan plan(PlanRequest request) {
        throw new IllegalStateException("never asked");
    }
}
