package dev.muster.testkit.runtime;

import dev.muster.runtime.launch.EngineResources;
import dev.muster.runtime.plan.PlanValidator;
import dev.muster.spi.LaunchPlan;
import dev.muster.spi.PlanException;
import dev.muster.testkit.EngineConformance;
import dev.muster.testkit.VirtualCluster;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The rules of {@link EngineConformance}, and R6, which takes the runtime.
 *
 * @since 0.1
 */
public abstract class RuntimeConformance extends EngineConformance {

    /** R6: the runtime's own checks accept every plan. */
    @Tag(ONE_JDK)
    @ParameterizedTest
    @MethodSource("clusters")
    public void plansAreValid(ClusterSize size) throws PlanException {
        VirtualCluster cluster = cluster(size);
        List<LaunchPlan> plans = cluster.plans();
        for (int node = 0; node < plans.size(); node++) {
            LaunchPlan plan = EngineResources.read(plans.get(node), engine().getClass());
            PlanValidator.validate(engineId(), cluster.request(node).job(), plan);
            PlanValidator.validateRanks(engine().descriptor(), size.nodes() == 1, List.of(), plan);
        }
    }
}
