package dev.muster.testkit.runtime;

import dev.muster.runtime.errors.MusterException;
import dev.muster.runtime.launch.EngineResources;
import dev.muster.runtime.plan.PlanValidator;
import dev.muster.spi.LaunchPlan;
import dev.muster.spi.PlanException;
import dev.muster.testkit.EngineConformance;
import dev.muster.testkit.Rule;
import dev.muster.testkit.VirtualCluster;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The rules of {@link EngineConformance}, and R6, which needs the runtime.
 *
 * @since 0.1
 */
public abstract class RuntimeConformance extends EngineConformance {

    /** R6: the runtime's own checks accept every plan. */
    @Tag(ONE_JDK)
    @Test
    public void plansAreValid() throws PlanException {
        for (ClusterSize size : clusters()) {
            VirtualCluster cluster = cluster(size);
            try {
                checkValidity(cluster, cluster.plans());
            } catch (PlanException refused) {
                // Another test checks whether the engine may refuse it.
            }
        }
    }

    @Override
    protected void checkValidity(VirtualCluster cluster, List<LaunchPlan> plans) throws PlanException {
        for (int node = 0; node < plans.size(); node++) {
            try {
                LaunchPlan plan = EngineResources.read(plans.get(node), engine().getClass());
                PlanValidator.validate(engineId(), cluster.request(node).job(), plan);
                PlanValidator.validateRanks(engine().descriptor(), plans.size() == 1, List.of(), plan);
            } catch (MusterException | NullPointerException | IllegalArgumentException invalid) {
                throw Rule.VALIDITY.broken(
                        cluster.where("plan") + ", node " + node,
                        String.valueOf(invalid.getMessage()),
                        "the page says what ids, names, paths and conditions may be",
                        invalid);
            }
        }
    }
}
