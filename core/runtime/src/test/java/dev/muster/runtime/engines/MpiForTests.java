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

/** Another engine, with an option of its own. */
public final class MpiForTests implements Engine {

    @Override
    public EngineDescriptor descriptor() {
        return EngineDescriptor.of("mpi", "one mpirun")
                .withOptions(EngineOption.of("interface", EngineOption.Kind.TEXT, "the network to use"));
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
