package dev.muster.engine.tensorflow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.spi.Condition;
import dev.muster.spi.LaunchPlan;
import dev.muster.spi.Outcome;
import dev.muster.spi.ProcessSpec;
import dev.muster.spi.StopMethod;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** When processes and nodes end. Ports of ps are 1, those of workers 2; hosts are a, b and c. */
class LifeTest {

    private static final Duration LOST = Duration.ofSeconds(60);
    private static final Duration REFUSED = Duration.ofSeconds(5);

    @Test
    void aPsServesUntilTheWorkersOfAllNodesHaveEnded() {
        LaunchPlan plan = three().node(1, 3).plan();

        Condition ended = all(closed("a", 2), exited("worker-1"), closed("c", 2));
        assertThat(service(plan, "ps-1").stopWhen()).isEqualTo(ended);
        assertThat(service(plan, "ps-1").mayEnd()).isTrue();
        assertThat(plan.processes()).allSatisfy(process -> {
            assertThat(process.startWhen()).isEqualTo(Condition.IMMEDIATELY);
            assertThat(process.stop()).isEqualTo(StopMethod.DEFAULT);
        });
        assertCase(TestJob.cases(plan).get(0), ended, 0, "all workers have ended");
    }

    @Test
    void aNodeWhoseProcessesHaveAllEndedIsDone() {
        LaunchPlan plan = three().node(1, 3).plan();

        assertCase(
                TestJob.cases(plan).get(1),
                exited("ps-1", "worker-1"),
                0,
                "all processes of this node ended by themselves");
    }

    @Test
    void aWorkerOfAnotherNodeThatNeverOpensItsPortEndsTheNodeWith75() {
        LaunchPlan plan = three().node(1, 3).plan();

        assertCase(TestJob.cases(plan).get(2), never("a", 2), 75, "worker-0 at a:2", "30m", "--input-timeout");
        assertCase(TestJob.cases(plan).get(3), never("c", 2), 75, "worker-2 at c:2");
    }

    @Test
    void aPsOfAnotherNodeThatIsLostWhileTheWorkerRunsEndsTheNodeWith75() {
        LaunchPlan plan = three().node(1, 3).plan();

        assertThat(TestJob.cases(plan)).hasSize(6);
        assertCase(
                TestJob.cases(plan).get(4),
                lostBefore("a", 1, "worker-1"),
                75,
                "ps-0 at a:1 is lost",
                "1m (-o lost-after)",
                "worker-1 still ran");
        assertCase(TestJob.cases(plan).get(5), lostBefore("c", 1, "worker-1"), 75, "ps-2 at c:1 is lost");
    }

    @Test
    void howLongAProcessMayBeGoneIsAnOption() {
        LaunchPlan plan = three().node(1, 3).option("lost-after", "7s").plan();

        Duration seven = Duration.ofSeconds(7);
        assertThat(service(plan, "ps-1").stopWhen())
                .isEqualTo(all(
                        new Condition.PortClosed("a", 2, REFUSED, Optional.of(seven)),
                        exited("worker-1"),
                        new Condition.PortClosed("c", 2, REFUSED, Optional.of(seven))));
        assertCase(
                TestJob.cases(plan).get(4),
                new Condition.Before(new Condition.PortClosed("a", 1, seven, Optional.of(seven)), exited("worker-1")),
                75,
                "7s (-o lost-after)");
    }

    @Test
    void aPsContainerWatchesAllWorkersAndNoPs() {
        LaunchPlan plan = three().role("ps", 1).plan();

        Condition ended = all(closed("a", 2), closed("b", 2), closed("c", 2));
        assertThat(service(plan, "ps-1").stopWhen()).isEqualTo(ended);
        assertThat(TestJob.cases(plan)).hasSize(5);
        assertCase(TestJob.cases(plan).get(0), ended, 0, "all workers have ended");
        assertCase(TestJob.cases(plan).get(1), exited("ps-1"), 0, "ps-1 ended by itself");
        assertCase(TestJob.cases(plan).get(2), never("a", 2), 75, "worker-0 at a:2");
        assertCase(TestJob.cases(plan).get(4), never("c", 2), 75, "worker-2 at c:2");
    }

    @Test
    void aWorkerContainerEndsWithItsWorkerAndWatchesAllPs() {
        LaunchPlan plan = three().role("worker", 2).plan();

        assertThat(TestJob.process(plan, "worker-2")).isInstanceOf(ProcessSpec.Task.class);
        assertThat(TestJob.cases(plan)).hasSize(4);
        assertCase(TestJob.cases(plan).get(0), exited("worker-2"), 0, "worker-2 has ended");
        assertCase(TestJob.cases(plan).get(1), lostBefore("a", 1, "worker-2"), 75, "ps-0 at a:1");
        assertCase(TestJob.cases(plan).get(3), lostBefore("c", 1, "worker-2"), 75, "ps-2 at c:1");
    }

    @Test
    void oneWholeNodeHasNobodyElseToWatch() {
        LaunchPlan plan = new TestJob().plan();

        assertThat(service(plan, "ps-0").stopWhen()).isEqualTo(exited("worker-0"));
        assertThat(plan.outcome()).isEqualTo(Outcome.ALL_TASKS);
        assertThat(new TestJob().lists("a:1", "a:2").plan().outcome()).isEqualTo(Outcome.ALL_TASKS);
    }

    // --- the chief decides

    @Test
    void theChiefsNodeEndsWithTheChiefAndWatchesEverybodyElse() {
        LaunchPlan plan = three().node(0, 3).option("tf-config", "chief").plan();

        assertThat(service(plan, "ps-0").stopWhen()).isEqualTo(exited("worker-0"));
        assertThat(TestJob.cases(plan)).hasSize(5);
        assertCase(TestJob.cases(plan).get(0), exited("worker-0"), 0, "the chief (worker-0) has ended");
        assertCase(TestJob.cases(plan).get(1), lostBefore("b", 1, "worker-0"), 75, "ps-1 at b:1");
        assertCase(TestJob.cases(plan).get(2), lostBefore("c", 1, "worker-0"), 75, "ps-2 at c:1");
        assertCase(TestJob.cases(plan).get(3), lostBefore("b", 2, "worker-0"), 75, "worker-1 at b:2");
        assertCase(TestJob.cases(plan).get(4), lostBefore("c", 2, "worker-0"), 75, "worker-2 at c:2");
    }

    @Test
    void otherNodesServeUntilTheChiefHasEnded() {
        LaunchPlan plan = three().node(1, 3).option("tf-config", "chief").plan();

        assertThat(service(plan, "ps-1").stopWhen()).isEqualTo(closed("a", 2));
        assertThat(service(plan, "worker-1").stopWhen()).isEqualTo(closed("a", 2));
        assertThat(service(plan, "worker-1").mayEnd()).isTrue();
        assertThat(TestJob.cases(plan)).hasSize(3);
        assertCase(TestJob.cases(plan).get(0), closed("a", 2), 0, "the chief (worker-0 at a:2) has ended");
        assertCase(TestJob.cases(plan).get(1), exited("ps-1", "worker-1"), 0, "ended by themselves");
        assertCase(TestJob.cases(plan).get(2), never("a", 2), 75, "worker-0 at a:2");
    }

    @Test
    void containersWithoutTheChiefServeUntilItHasEnded() {
        LaunchPlan worker =
                three().role("worker", 1).option("tf-config", "chief").plan();
        LaunchPlan chief =
                three().role("worker", 0).option("tf-config", "chief").plan();

        assertThat(service(worker, "worker-1").stopWhen()).isEqualTo(closed("a", 2));
        assertCase(TestJob.cases(worker).get(1), exited("worker-1"), 0, "worker-1 ended by itself");
        assertThat(TestJob.cases(chief)).hasSize(6);
        assertCase(TestJob.cases(chief).get(1), lostBefore("a", 1, "worker-0"), 75, "ps-0 at a:1");
    }

    private static TestJob three() {
        return new TestJob().lists("a:1,b:1,c:1", "a:2,b:2,c:2");
    }

    private static ProcessSpec.Service service(LaunchPlan plan, String id) {
        return (ProcessSpec.Service) TestJob.process(plan, id);
    }

    private static void assertCase(Outcome.Case one, Condition when, int exitCode, String... words) {
        assertThat(one.when()).isEqualTo(when);
        assertThat(one.exitCode()).isEqualTo(exitCode);
        assertThat(one.reason()).contains(words).doesNotEndWith(".");
    }

    private static Condition all(Condition... parts) {
        return new Condition.AllOf(List.of(parts));
    }

    private static Condition exited(String... ids) {
        return new Condition.Exited(new TreeSet<>(List.of(ids)));
    }

    private static Condition closed(String host, int port) {
        return new Condition.PortClosed(host, port, REFUSED, Optional.of(LOST));
    }

    private static Condition never(String host, int port) {
        return new Condition.Before(new Condition.Elapsed(Duration.ofMinutes(30)), new Condition.PortOpen(host, port));
    }

    private static Condition lostBefore(String host, int port, String worker) {
        return new Condition.Before(new Condition.PortClosed(host, port, LOST, Optional.of(LOST)), exited(worker));
    }
}
