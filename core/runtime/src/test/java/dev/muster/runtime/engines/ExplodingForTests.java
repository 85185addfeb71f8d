package dev.muster.runtime.engines;

import dev.muster.spi.Engine;
import dev.muster.spi.EngineDescriptor;
import dev.muster.spi.Input;
import dev.muster.spi.JobSpec;
import dev.muster.spi.LaunchPlan;
import dev.muster.spi.Node;
import dev.muster.spi.PlanRequest;
import java.util.List;

/** An engine whose constructor throws. */
public final class ExplodingForTests implements Engine {

    public ExplodingForTests() {
        throw new IllegalStateException("no accelerator\nhere");
    }

    @Override
    public EngineDescriptor descriptor() {
        throw new IllegalStateException("never asked");
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
