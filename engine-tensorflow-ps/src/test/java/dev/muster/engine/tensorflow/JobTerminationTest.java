package dev.muster.engine.tensorflow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.spi.Condition;
import dev.muster.spi.LaunchPlan;
import dev.muster.spi.Outcome;
import dev.muster.spi.ProcessSpec;
import java.util.List;
import org.junit.jupiter.api.Test;

/** When processes and nodes end. The hosts are a, b and c. A ps has port 1, a worker port 2. */
class JobTerminationTest {

    @Test
    void aPsServesUntilTheOutcomeAndMayEndBefore() {
        for (TestJob job : List.of(new TestJob(), three().node(0, 3), three().role("ps", 0))) {
            LaunchPlan plan = job.plan();

            ProcessSpec.Service ps = service(plan, "ps-0");
            assertThat(ps.mayEnd()).isTrue();
            assertThat(plan.processes()).allSatisfy(process -> {
                assertThat(process.startWhen()).isEqualTo(Condition.IMMEDIATELY);
                assertThat(process.hosted()).isEmpty();
            });
        }
    }

    @Test
    void oneWholeNodeHasNobodyToWaitFor() {
        assertThat(new TestJob().plan().outcome()).isEqualTo(Outcome.ALL_TASKS);
        assertThat(new TestJob().lists("a:1", "a:2").plan().outcome()).isEqualTo(Outcome.ALL_TASKS);
    }

    /** There is no ps, so a worker need not know when the others end. */
    @Test
    void workersAmongThemselvesEndAloneIfNeedBe() {
        for (TestJob job : List.of(three().node(1, 3), three().role("worker", 0))) {
            assertThat(job.option("tf-config", "workers").plan().outcome()).isEqualTo(Outcome.ALL_TASKS);
        }
    }

    private static TestJob three() {
        return new TestJob().lists("a:1,b:1,c:1", "a:2,b:2,c:2");
    }

    private static ProcessSpec.Service service(LaunchPlan plan, String id) {
        return (ProcessSpec.Service) TestJob.process(plan, id);
    }
}
