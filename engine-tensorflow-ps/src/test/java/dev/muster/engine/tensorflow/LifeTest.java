package dev.muster.engine.tensorflow;

import static dev.muster.engine.tensorflow.TestJob.exited;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.spi.Condition;
import dev.muster.spi.LaunchPlan;
import dev.muster.spi.Outcome;
import dev.muster.spi.ProcessSpec;
import java.util.List;
import org.junit.jupiter.api.Test;

/** When processes and nodes end. Ports of ps are 1, those of workers 2; hosts are a, b and c. */
class LifeTest {

    private static final Outcome FOLLOWS = Outcome.FOLLOWS_LEADER;

    @Test
    void theFirstNodeWaitsForTheWorkersOfAllNodes() {
        LaunchPlan plan = three().node(0, 3).plan();

        assertThat(TestJob.process(plan, "worker-0")).isInstanceOf(ProcessSpec.Task.class);
        assertEnd(plan, exited("worker-0", "worker-1@node-1", "worker-2@node-2"), "all workers have ended");
    }

    @Test
    void theOtherNodesFollowIt() {
        LaunchPlan plan = three().node(1, 3).plan();

        assertThat(TestJob.process(plan, "worker-1")).isInstanceOf(ProcessSpec.Task.class);
        assertThat(plan.outcome()).isEqualTo(FOLLOWS);
    }

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
    void theContainerOfWorkerZeroWaitsForAllWorkersAndTheOthersFollow() {
        assertEnd(
                three().role("worker", 0).plan(),
                exited("worker-0", "worker-1@worker-1", "worker-2@worker-2"),
                "all workers have ended");
        assertThat(three().role("worker", 2).plan().outcome()).isEqualTo(FOLLOWS);
        assertThat(three().role("ps", 0).plan().outcome()).isEqualTo(FOLLOWS);
    }

    @Test
    void oneWholeNodeHasNobodyToWaitFor() {
        assertThat(new TestJob().plan().outcome()).isEqualTo(Outcome.ALL_TASKS);
        assertThat(new TestJob().lists("a:1", "a:2").plan().outcome()).isEqualTo(Outcome.ALL_TASKS);
    }

    /** Nobody serves there, so no worker needs to know of the others. */
    @Test
    void workersAmongThemselvesEndAloneIfNeedBe() {
        for (TestJob job : List.of(three().node(1, 3), three().role("worker", 0))) {
            assertThat(job.option("tf-config", "workers").plan().outcome()).isEqualTo(Outcome.ALL_TASKS);
        }
    }

    // --- the chief decides

    @Test
    void theNodeOfTheChiefEndsWithIt() {
        LaunchPlan plan = three().node(0, 3).option("tf-config", "chief").plan();

        assertThat(TestJob.process(plan, "worker-0")).isInstanceOf(ProcessSpec.Task.class);
        assertEnd(plan, exited("worker-0"), "the chief (worker-0) has ended");
        assertEnd(
                three().role("worker", 0).option("tf-config", "chief").plan(),
                exited("worker-0"),
                "the chief (worker-0) has ended");
    }

    @Test
    void theOthersServeTheChief() {
        LaunchPlan plan = three().node(1, 3).option("tf-config", "chief").plan();

        assertThat(service(plan, "worker-1").mayEnd()).isTrue();
        assertThat(plan.outcome()).isEqualTo(FOLLOWS);
        LaunchPlan container =
                three().role("worker", 1).option("tf-config", "chief").plan();
        assertThat(service(container, "worker-1").mayEnd()).isTrue();
        assertThat(container.outcome()).isEqualTo(FOLLOWS);
    }

    private static TestJob three() {
        return new TestJob().lists("a:1,b:1,c:1", "a:2,b:2,c:2");
    }

    private static ProcessSpec.Service service(LaunchPlan plan, String id) {
        return (ProcessSpec.Service) TestJob.process(plan, id);
    }

    private static void assertEnd(LaunchPlan plan, Condition when, String reason) {
        assertThat(TestJob.onlyCase(plan)).isEqualTo(new Outcome.Case(when, 0, reason));
    }
}
