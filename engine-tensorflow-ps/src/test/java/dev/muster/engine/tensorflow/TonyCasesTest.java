package dev.muster.engine.tensorflow;

import static dev.muster.engine.tensorflow.TestJob.exited;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.spi.LaunchPlan;
import dev.muster.spi.Outcome;
import dev.muster.spi.ProcessSpec;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The cases of TonY's end-to-end tests ({@code TestTonyE2E}) that can happen here, as far as plans decide them: a task that
 * fails ends the job with its code on all nodes, and so does a service that ends with anything but 0. Sidecars and TensorBoard do not
 * exist here.
 */
class TonyCasesTest {

    private static final Outcome FOLLOWS = Outcome.FOLLOWS_LEADER;

    /** testPSSkewedWorkerTrainingShouldPass: one worker needs much longer than the other. */
    @Test
    void aWorkerThatHasEndedLeavesItsPsToTheOthers() {
        assertThat(TestJob.onlyCase(job().node(0, 2).plan()).when()).isEqualTo(exited("worker-0", "worker-1@node-1"));
        assertThat(job().node(1, 2).plan().outcome()).isEqualTo(FOLLOWS);
    }

    /** testPSWorkerTrainingShouldFailMissedHeartbeat: a process is gone without a word; its launcher would have said one. */
    @Test
    void everyLauncherOfAJobWithPsNeedsTheOthers() {
        for (TestJob job : List.of(job().node(0, 2), job().role("worker", 0), job().role("ps", 1))) {
            assertThat(job.link())
                    .hasValueSatisfying(
                            launchers -> assertThat(launchers.required()).isTrue());
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

    /** testNonChiefWorkerFail: another worker than the chief fails. Only ending with 0 is allowed to a service that may end. */
    @Test
    void aWorkerBesideTheChiefMayEndOnlyWithZero() {
        LaunchPlan plan = job().node(1, 2).option("tf-config", "chief").plan();

        assertThat(TestJob.process(plan, "worker-1"))
                .isInstanceOfSatisfying(
                        ProcessSpec.Service.class,
                        service -> assertThat(service.mayEnd()).isTrue());
    }

    /** testTonyPSCrashShouldFailAndStopAM: a ps crashes, and the workers would wait for it for ever. */
    @Test
    void aPsThatCrashesIsAServiceThatFailed() {
        assertThat(TestJob.process(job().role("ps", 1).plan(), "ps-1")).isInstanceOf(ProcessSpec.Service.class);
    }

    /** testTaskCompletionNotificationDelayed: that a worker has ended becomes known late. */
    @Test
    void aPsWaitsForTheNewsHoweverLate() {
        assertThat(job().role("ps", 0).plan().outcome()).isEqualTo(FOLLOWS);
    }

    private static TestJob job() {
        return new TestJob().lists("a:1,b:3", "a:2,b:4");
    }
}
