package dev.muster.runtime.engines;

import dev.muster.spi.Engine;
import dev.muster.spi.EngineDescriptor;
import dev.muster.spi.EngineOption;
import dev.muster.spi.LaunchPlan;
import dev.muster.spi.PlanRequest;
import java.util.List;
import java.util.TreeSet;

/** An engine that wants an option which is Muster's own. */
public final class GreedyForTests implements Engine {

    @Override
    public EngineDescriptor descriptor() {
        return new EngineDescriptor(
                "greedy",
                "takes what is not its own",
                List.of(EngineOption.of("grace", EngineOption.Kind.TEXT, "mine")),
                List.of(),
                new TreeSet<>());
    }

    @Override
    public LaunchPlan plan(PlanRequest request) {
        throw new IllegalStateException("never asked");
    }
}
