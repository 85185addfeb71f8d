package dev.muster.runtime.supervise;

import static dev.muster.runtime.supervise.Specs.cases;
import static dev.muster.runtime.supervise.Specs.decides;
import static dev.muster.runtime.supervise.Specs.exited;
import static dev.muster.runtime.supervise.Specs.launch;
import static dev.muster.runtime.supervise.Specs.plan;
import static dev.muster.runtime.supervise.Specs.service;
import static dev.muster.runtime.supervise.Specs.task;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.runtime.process.Signals.ReceivedSignal;
import dev.muster.runtime.process.Termination;
import dev.muster.runtime.report.Cause;
import dev.muster.runtime.report.ProcessReport;
import dev.muster.runtime.report.Verdict;
import dev.muster.spi.Condition;
import dev.muster.spi.HostedRanks;
import dev.muster.spi.LaunchPlan;
import dev.muster.spi.Outcome;
import dev.muster.spi.ProcessSpec;
import java.time.Duration;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A process gets a SIGTERM that the launcher did not send. The others get a short delay, then the launcher stops the job. */
@Timeout(60)
class SupervisorStopFromOutsideTest extends ScriptedRun {

    private static final Duration NEVER = Duration.ofMinutes(5);
    private static final Duration SHORT = Duration.ofMillis(250);

    @Test
    void whoeverStillRunsAfterTheRespiteIsStoppedOnce() throws InterruptedException {
        effects.onStart("second", id -> effects.terminate("first"));

        Verdict verdict = run(NEVER, SHORT, plan(Outcome.ALL_TASKS, task("first"), task("second")));

        assertIsStopBy("first", verdict);
        assertThat(effects.log)
                .containsSubsequence(
                        "say: first (pid 100) ended with SIGTERM (exit code 143); the launcher had not sent this SIGTERM,"
                                + " so the job is being stopped; waiting 250ms for 1 process that may have got it too",
                        "say: stopping 1 process: second (grace 5m)",
                        "TERM second")
                .containsOnlyOnce("TERM second");
        assertThat(verdict.age()).isGreaterThanOrEqualTo(SHORT);
    }

    /** The shell around the rank has noted the SIGTERM in a private file. */
    @Test
    void aRankThatAProcessHostsBeginsAStopToo() throws InterruptedException {
        effects.onStart("mpirun", id -> effects.privateTexts.put(HostedRanks.STOP_WANTED, "3 77\n"));

        HostedRanks ranks = new HostedRanks(Condition.IMMEDIATELY, 0, 0, new TreeSet<>());
        ProcessSpec host = ProcessSpec.task("mpirun", launch()).withHosted(ranks);
        Verdict verdict = run(NEVER, SHORT, plan(Outcome.ALL_TASKS, host));

        Cause.OfProcess cause = (Cause.StoppedFromOutside) verdict.cause();
        assertThat(cause.process().id()).isEqualTo("rank 3");
        assertThat(cause.pid()).isEqualTo(77);
        assertThat(effects.log).contains("TERM mpirun");
    }

    @Test
    void aProgramThatSaysItWith143BeginsAStopToo() throws InterruptedException {
        effects.ends("first", 143);

        assertIsStopBy("first", run(NEVER, SHORT, plan(Outcome.ALL_TASKS, task("first"), task("second"))));
    }

    @Test
    void ranksThatEndWithinTheRespiteAreNotSignalledAndHaveNotFailed() throws InterruptedException {
        effects.onStart("saving", id -> {
            effects.terminate("first");
            effects.terminate("second");
            effects.end("saving", 0);
        });

        // All processes have ended, so the delay ends early.
        Verdict verdict = run(NEVER, NEVER, plan(Outcome.ALL_TASKS, task("first"), task("second"), task("saving")));

        assertIsStopBy("first", verdict);
        assertThat(verdict.processes()).extracting(ProcessReport::failed).containsExactly(true, false, false);
        assertThat(effects.log).noneMatch(line -> line.startsWith("TERM") && line.endsWith("saving"));
    }

    @Test
    void aFailureWithinTheRespiteIsToldAndChangesNothing() throws InterruptedException {
        effects.onStart("second", id -> {
            effects.terminate("first");
            effects.end("second", 3);
        });

        Verdict verdict = run(NEVER, NEVER, plan(Outcome.ALL_TASKS, task("first"), task("second")));

        assertIsStopBy("first", verdict);
        assertThat(verdict.processes()).extracting(ProcessReport::failed).containsExactly(true, true);
    }

    @Test
    void aFailureThatComesFirstIsNoStop() throws InterruptedException {
        effects.onStart("third", id -> {
            effects.end("first", 3);
            effects.terminate("second");
        });

        Verdict verdict = run(NEVER, NEVER, plan(Outcome.ALL_TASKS, task("first"), task("second"), task("third")));

        assertThat(verdict.cause())
                .isInstanceOfSatisfying(
                        Cause.ProcessFailed.class,
                        failed -> assertThat(failed.process().id()).isEqualTo("first"));
        assertThat(effects.log).contains("TERM third");
    }

    @Test
    void aSignalToTheLauncherWithinTheRespiteChangesNothing() throws InterruptedException {
        effects.onStart("second", id -> {
            effects.terminate("first");
            effects.signalLauncher("TERM", 15);
        });

        Verdict verdict = run(NEVER, SHORT, plan(Outcome.ALL_TASKS, task("first"), task("second")));

        assertIsStopBy("first", verdict);
        assertThat(effects.log)
                // The line "stopping ..." is not checked: if this thread pauses longer than the delay, it may be
                // missing.
                .containsSubsequence("say: received SIGTERM; already stopping (grace 5m)", "TERM second")
                .containsOnlyOnce("TERM second");
    }

    @Test
    void aSignalToTheLauncherBeforeARankEndsIsTheCause() throws InterruptedException {
        effects.onStart("second", id -> {
            effects.signalLauncher("TERM", 15);
            effects.terminate("first");
        });

        Verdict verdict = run(NEVER, NEVER, plan(Outcome.ALL_TASKS, task("first"), task("second")));

        assertThat(verdict.cause()).isEqualTo(new Cause.Interrupted(new ReceivedSignal("TERM", 15)));
        assertThat(effects.log).contains("TERM second");
    }

    @Test
    void aSecondInterruptEndsTheRespiteAndTheGracePeriod() throws InterruptedException {
        effects.ignoresTerm("second").onStart("second", id -> {
            effects.terminate("first");
            effects.signalLauncher("INT", 2);
            effects.signalLauncher("INT", 2);
        });

        assertIsStopBy("first", run(NEVER, NEVER, plan(Outcome.ALL_TASKS, task("first"), task("second"))));
        assertThat(effects.log).contains("KILL second");
    }

    @Test
    void theGracePeriodBeginsAfterTheRespite() throws InterruptedException {
        effects.ignoresTerm("second").onStart("second", id -> effects.terminate("first"));

        Verdict verdict = run(SHORT, SHORT, plan(Outcome.ALL_TASKS, task("first"), task("second")));

        assertThat(effects.log).containsSubsequence("TERM second", "KILL second");
        assertThat(verdict.age()).isGreaterThanOrEqualTo(SHORT.multipliedBy(2));
    }

    @Test
    void nobodyIsStartedAfterwards() throws InterruptedException {
        effects.onStart("first", effects::terminate);

        run(NEVER, NEVER, plan(Outcome.ALL_TASKS, task("first"), task("second")));

        assertThat(effects.log).doesNotContain("start second");
    }

    @Test
    void otherNodesAreToldAfterTheRespiteWithTheCode() throws InterruptedException {
        effects.onStart("second", id -> effects.terminate("first")).ends("tell", 0);
        ProcessSpec tell = ProcessSpec.hook("tell", launch(), ProcessSpec.Phase.ON_STOP, SHORT);

        run(NEVER, SHORT, plan(Outcome.ALL_TASKS, task("first"), task("second"), tell));

        assertThat(effects.log)
                .containsSubsequence("say: stopping 1 process: second (grace 5m)", "TERM second", "start tell");
    }

    @Test
    void itHoldsWhoeverDecidesTheJob() throws InterruptedException {
        effects.onStart("mpirun", effects::terminate);
        Outcome released = cases(decides(exited("mpirun"), 0, "mpirun has ended"));
        assertIsStopBy("mpirun", run(NEVER, SHORT, plan(released, task("mpirun"))));
    }

    /** A ps may still write its part of the checkpoint after its last worker has ended. */
    @Test
    void aServiceThatIsNeededNoMoreHasTheRespiteToo() throws InterruptedException {
        effects.onStart("worker", effects::terminate);

        Verdict verdict = run(NEVER, SHORT, plan(Outcome.ALL_TASKS, service("ps", false), task("worker")));

        assertIsStopBy("worker", verdict);
        // As above, the line "stopping ..." may be missing.
        assertThat(effects.log).containsOnlyOnce("TERM ps");
        assertThat(verdict.age()).isGreaterThanOrEqualTo(SHORT);
    }

    @Test
    void aServiceThatEndsBySigtermBeginsAStop() throws InterruptedException {
        effects.onStart("worker", id -> effects.terminate("ps"));

        Verdict verdict = run(NEVER, SHORT, plan(Outcome.ALL_TASKS, service("ps", false), task("worker")));

        assertIsStopBy("ps", verdict);
        assertThat(effects.log).contains("TERM worker");
    }

    @Test
    void aStepThatEndsBySigtermHasFailed() throws InterruptedException {
        effects.onStart("keys", effects::terminate);
        ProcessSpec keys = ProcessSpec.hook("keys", launch(), ProcessSpec.Phase.PROLOG, NEVER)
                .withRequired();

        Verdict verdict = run(NEVER, NEVER, plan(Outcome.ALL_TASKS, keys, task("first")));

        assertThat(verdict.cause()).isInstanceOf(Cause.ProcessFailed.class);
    }

    private static void assertIsStopBy(String id, Verdict verdict) {
        assertThat(verdict.cause()).isInstanceOfSatisfying(Cause.StoppedFromOutside.class, stop -> {
            assertThat(stop.process().id()).isEqualTo(id);
            assertThat(stop.termination().exitCode())
                    .isEqualTo(Termination.signalled(15).exitCode());
        });
    }

    private Verdict run(Duration grace, Duration respite, LaunchPlan plan) throws InterruptedException {
        return run(Specs.times(grace, respite, Duration.ZERO, grace), plan);
    }
}
