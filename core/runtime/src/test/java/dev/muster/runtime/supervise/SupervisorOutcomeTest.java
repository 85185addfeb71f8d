package dev.muster.runtime.supervise;

import static dev.muster.runtime.supervise.Specs.cases;
import static dev.muster.runtime.supervise.Specs.decides;
import static dev.muster.runtime.supervise.Specs.ended;
import static dev.muster.runtime.supervise.Specs.exited;
import static dev.muster.runtime.supervise.Specs.plan;
import static dev.muster.runtime.supervise.Specs.service;
import static dev.muster.runtime.supervise.Specs.task;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.runtime.process.Signals.ReceivedSignal;
import dev.muster.runtime.report.Cause;
import dev.muster.runtime.report.ProcessReport;
import dev.muster.runtime.report.Verdict;
import dev.muster.spi.Condition;
import dev.muster.spi.LaunchPlan;
import dev.muster.spi.Outcome;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Jobs whose outcome has cases. */
@Timeout(60)
class SupervisorOutcomeTest extends ScriptedRun {

    @Test
    void aCaseThatDecidesIsSaidAtOnceWithWhatIsStopped() throws InterruptedException {
        effects.onStart("worker-1", id -> effects.end("worker-0", 0));

        Verdict verdict = run(
                LONG, plan(cases(decides(exited("worker-0"), 75, "ps 1 is lost")), task("worker-0"), task("worker-1")));

        assertThat(verdict.cause()).isEqualTo(new Cause.Decided(75, "ps 1 is lost"));
        assertThat(effects.log)
                .containsSubsequence("say: ps 1 is lost; stopping 1 process (grace 5m)", "TERM worker-1");
    }

    @Test
    void nothingIsStoppedWhereNothingRuns() throws InterruptedException {
        effects.ends("worker-0", 0);

        run(LONG, plan(cases(decides(exited("worker-0"), 0, "all workers are done")), task("worker-0")));

        assertThat(effects.log).contains("say: all workers are done");
    }

    @Test
    void aPlanWithoutProcessesEndsWhenACaseHoldsAtOnce() throws InterruptedException {
        Verdict verdict = run(LONG, plan(cases(decides(Condition.IMMEDIATELY, 0, "this container has nothing to do"))));

        assertThat(verdict.cause()).isEqualTo(new Cause.Decided(0, "this container has nothing to do"));
        assertThat(verdict.duration()).isZero();
        assertThat(effects.log).containsExactly("say: this container has nothing to do");
    }

    @Test
    void aNodeThatDoesNothingButWaitForAPortEndsWithItsNameInTime() throws InterruptedException {
        Condition closed = Condition.portOpen("there-is.invalid", 7);
        LaunchPlan plan = plan(Outcome.ALL_TASKS, task("waits", closed), task("first"));
        effects.onStart("first", id -> effects.end("first", 0));
        StopTimes times = Specs.times(LONG, LONG, Duration.ZERO, Duration.ofMillis(30));

        Verdict verdict = run(times, plan);

        assertThat(verdict.cause()).isInstanceOfSatisfying(Cause.Decided.class, late -> {
            assertThat(late.exitCode()).isEqualTo(75);
            assertThat(late.reason())
                    .startsWith("port 7 of there-is.invalid ")
                    .endsWith(" (waited 30ms). Look there, or wait longer with --input-timeout");
        });
        assertThat(effects.log).contains("start first").doesNotContain("start waits");
    }

    @Test
    void whoWaitsForAPortWhileOthersWorkHasTime() throws InterruptedException {
        LaunchPlan plan = plan(
                cases(decides(exited("works"), 0, "done")),
                task("waits", Condition.portOpen("there-is.invalid", 7)),
                task("works"));
        effects.onStart(
                "works",
                id -> CompletableFuture.delayedExecutor(150, TimeUnit.MILLISECONDS)
                        .execute(() -> effects.end("works", 0)));
        StopTimes times = Specs.times(LONG, LONG, Duration.ZERO, Duration.ofMillis(10));

        assertThat(run(times, plan).cause()).isEqualTo(new Cause.Decided(0, "done"));
    }

    @Test
    void aPlanWithoutProcessesCanBeInterrupted() throws InterruptedException {
        effects.signalLauncher("TERM", 15);

        Verdict verdict = run(LONG, plan(cases(decides(Specs.NEVER, 0, "never"))));

        assertThat(verdict.cause()).isEqualTo(new Cause.Interrupted(new ReceivedSignal("TERM", 15)));
        assertThat(effects.log).containsExactly("say: received SIGTERM");
    }

    @Test
    void aFailureThatMakesACaseTrueIsTheCause() throws InterruptedException {
        effects.ends("worker-0", 9);

        Verdict verdict = run(LONG, plan(cases(decides(exited("worker-0"), 0, "done")), task("worker-0")));

        assertThat(causeId(verdict)).isEqualTo("worker-0");
    }

    @Test
    void aFailureAfterTheEndThatMadeACaseTrueIsNone() throws InterruptedException {
        effects.onStart("worker-1", id -> {
            long now = events.now();
            events.post(ended("worker-1", 1, now));
            events.post(ended("worker-0", 0, now - 1));
        });

        Verdict verdict =
                run(LONG, plan(cases(decides(exited("worker-0"), 0, "done")), task("worker-0"), task("worker-1")));

        assertThat(verdict.cause()).isEqualTo(new Cause.Decided(0, "done"));
        assertThat(verdict.processes()).extracting(ProcessReport::failed).containsOnly(false);
        assertThat(verdict.processes()).extracting(ProcessReport::stoppedByUs).containsOnly(false);
    }

    @Test
    void aFailureBeforeTheEndThatMakesACaseTrueIsTheCause() throws InterruptedException {
        effects.onStart("worker-1", id -> {
            long now = events.now();
            events.post(ended("worker-0", 0, now));
            events.post(ended("worker-1", 1, now - 1));
        });

        Verdict verdict =
                run(LONG, plan(cases(decides(exited("worker-0"), 0, "done")), task("worker-0"), task("worker-1")));

        assertThat(causeId(verdict)).isEqualTo("worker-1");
    }

    /** A follower may leave when its processes have ended, although the job goes on. */
    @Test
    void aNodeThatFollowsIsDoneWhenNothingOfItRuns() throws InterruptedException {
        effects.onStart("ps-0", id -> {
            effects.end("worker-0", 0);
            effects.end("ps-0", 0);
        });

        Verdict verdict = run(LONG, plan(Outcome.FOLLOWS_LEADER, task("worker-0"), service("ps-0", true)));

        assertThat(verdict.cause()).isEqualTo(new Cause.Success());
        assertThat(verdict.processes()).extracting(ProcessReport::stoppedByUs).containsOnly(false);
    }

    @Test
    void aNodeThatFollowsFailsWithItsOwnProcesses() throws InterruptedException {
        effects.onStart("ps-0", id -> {
            effects.end("worker-0", 0);
            effects.end("ps-0", 3);
        });

        Verdict verdict = run(LONG, plan(Outcome.FOLLOWS_LEADER, task("worker-0"), service("ps-0", true)));

        assertThat(causeId(verdict)).isEqualTo("ps-0");
    }
}
