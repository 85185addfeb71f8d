package dev.muster.engine.tensorflow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.spi.Condition;
import dev.muster.spi.LaunchPlan;
import dev.muster.spi.Outcome;
import dev.muster.spi.ProcessSpec;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/**
 * The cases of TonY's end-to-end tests ({@code TestTonyE2E}) that can happen here, as far as plans decide them: a task that
 * fails ends its node with its code, and so does a service that ends with anything but 0. Sidecars and TensorBoard do not
 * exist here.
 */
class TonyCasesTest {

    private static final int TRY_AGAIN = 75;

    /** testPSSkewedWorkerTrainingShouldPass: one worker needs much longer than the other. */
    @Test
    void aWorkerThatHasEndedLeavesItsPsToTheOthers() {
        LaunchPlan plan = job().node(0, 2).plan();

        ProcessSpec.Service ps = (ProcessSpec.Service) TestJob.process(plan, "ps-0");
        assertThat(ps.stopWhen())
                .isInstanceOfSatisfying(
                        Condition.AllOf.class,
                        all -> assertThat(all.parts()).hasSize(2).contains(exited("worker-0")));
        assertThat(endings(plan, 0)).doesNotContain(exited("worker-0"));
    }

    /** testPSWorkerTrainingShouldFailMissedHeartbeat: a process is gone without a word. */
    @Test
    void aPsThatIsSilentForTooLongFailsEveryNodeWithARunningWorker() {
        for (TestJob node : List.of(job().node(0, 2), job().role("worker", 0))) {
            LaunchPlan plan = node.plan();

            assertThat(endings(plan, TRY_AGAIN))
                    .filteredOn(when -> when instanceof Condition.Before before
                            && before.first() instanceof Condition.PortClosed lost
                            && lost.port() == 3
                            && lost.silent().isPresent())
                    .hasSize(1);
        }
    }

    /** testAMStopsJobAfterWorker0Killed: worker 0 is killed, with the usual kind of script and with a chief. */
    @Test
    void workerZeroIsATaskWhoseFailureIsTheJobs() {
        for (String kind : List.of("ps", "chief", "workers")) {
            LaunchPlan plan = job().node(0, 2).option("tf-config", kind).plan();

            assertThat(TestJob.process(plan, "worker-0")).as(kind).isInstanceOf(ProcessSpec.Task.class);
        }
    }

    /** testNonChiefWorkerFail: another worker than the chief fails. */
    @Test
    void aWorkerBesideTheChiefFailsItsOwnNodeAndTheChiefs() {
        LaunchPlan own = job().node(1, 2).option("tf-config", "chief").plan();
        LaunchPlan chiefs = job().node(0, 2).option("tf-config", "chief").plan();

        // Only ending with 0 is allowed to a service that may end.
        assertThat(TestJob.process(own, "worker-1"))
                .isInstanceOfSatisfying(
                        ProcessSpec.Service.class,
                        service -> assertThat(service.mayEnd()).isTrue());
        assertThat(TestJob.cases(chiefs))
                .filteredOn(one -> one.exitCode() == TRY_AGAIN)
                .extracting(Outcome.Case::reason)
                .anyMatch(reason -> reason.startsWith("worker-1 at b:4 is lost"));
    }

    /** testTonyPSCrashShouldFailAndStopAM: a ps crashes, and the workers would wait for it for ever. */
    @Test
    void aPsThatCrashesFailsItsOwnNodeAndThoseOfTheWorkers() {
        LaunchPlan own = job().role("ps", 1).plan();
        LaunchPlan workers = job().role("worker", 0).plan();

        assertThat(TestJob.process(own, "ps-1")).isInstanceOf(ProcessSpec.Service.class);
        assertThat(TestJob.cases(workers))
                .filteredOn(one -> one.exitCode() == TRY_AGAIN)
                .extracting(Outcome.Case::reason)
                .anyMatch(reason -> reason.startsWith("ps-1 at b:3 is lost"));
    }

    /** testTaskCompletionNotificationDelayed: that a worker has ended becomes known late. */
    @Test
    void aPsWaitsForTheNewsHoweverLate() {
        LaunchPlan plan = job().role("ps", 0).plan();

        assertThat(endings(plan, TRY_AGAIN))
                .as("no case ends a ps after a time once all workers were seen")
                .allSatisfy(
                        when -> assertThat(((Condition.Before) when).other()).isInstanceOf(Condition.PortOpen.class));
    }

    private static TestJob job() {
        return new TestJob().lists("a:1,b:3", "a:2,b:4");
    }

    private static Condition exited(String id) {
        return new Condition.Exited(new TreeSet<>(List.of(id)));
    }

    private static List<Condition> endings(LaunchPlan plan, int exitCode) {
        return TestJob.cases(plan).stream()
                .filter(one -> one.exitCode() == exitCode)
                .map(Outcome.Case::when)
                .toList();
    }
}
