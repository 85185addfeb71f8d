package dev.muster.runtime.supervise;

import static dev.muster.runtime.supervise.Specs.ended;
import static dev.muster.runtime.supervise.Specs.exited;
import static dev.muster.runtime.supervise.Specs.plan;
import static dev.muster.runtime.supervise.Specs.service;
import static dev.muster.runtime.supervise.Specs.task;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.runtime.report.Cause;
import dev.muster.runtime.report.ProcessReport;
import dev.muster.runtime.report.Verdict;
import dev.muster.spi.Condition;
import dev.muster.spi.LaunchPlan;
import dev.muster.spi.Outcome;
import dev.muster.spi.ProcessSpec;
import dev.muster.spi.RequiredPort;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Services: when they may end, and when they are stopped. */
@Timeout(60)
class SupervisorServiceTest extends ScriptedRun {

    @Test
    void aServiceThatMayEndEndsWithZeroAndTheJobGoesOn() throws InterruptedException {
        effects.ends("ps", 0).ends("worker-0", 0).ends("late", 0);
        LaunchPlan plan =
                plan(Outcome.ALL_TASKS, service("ps", true), task("worker-0"), task("late", exited("worker-0", "ps")));

        Verdict verdict = run(LONG, plan);

        assertThat(verdict.cause()).isInstanceOf(Cause.Success.class);
        assertThat(effects.log).contains("start late").noneMatch(line -> line.startsWith("TERM"));
        assertThat(verdict.processes()).extracting(ProcessReport::failed).containsOnly(false);
    }

    @Test
    void aServiceThatMayEndStillFailsWithAnyOtherEnd() throws InterruptedException {
        effects.ends("ps", 3);

        Verdict verdict = run(LONG, plan(Outcome.ALL_TASKS, service("ps", true), task("worker-0")));

        assertThat(verdict.cause()).isInstanceOfSatisfying(Cause.ProcessFailed.class, failed -> {
            assertThat(failed.process().id()).isEqualTo("ps");
            assertThat(failed.termination().exitCode()).isEqualTo(3);
        });
        assertThat(effects.log).contains("say: ps (pid 100) failed: exit code 3");
    }

    @Test
    void aServiceWhosePortOthersHaveTakenIsUnavailable() throws InterruptedException {
        effects.ends("sshd", 255);
        effects.takenPorts.put(36666, "port 36666 was taken");
        ProcessSpec sshd =
                ProcessSpec.service("sshd", Specs.launch()).withReadyWhen(Condition.portOpen("127.0.0.1", 36666));
        LaunchPlan plan = LaunchPlan.builder(Outcome.ALL_TASKS)
                .process(sshd)
                .process(task("worker-0"))
                .port(RequiredPort.of(36666, "sshd", "default", "Give another"))
                .build();

        assertThat(run(LONG, plan).cause()).isEqualTo(new Cause.Refused(69, "port 36666 was taken"));
    }

    @Test
    void aServiceThatMayEndIsAlsoStoppedAtTheEnd() throws InterruptedException {
        effects.ends("worker-0", 0);

        Verdict verdict = run(LONG, plan(Outcome.ALL_TASKS, service("ps", true), task("worker-0")));

        assertThat(verdict.cause()).isInstanceOf(Cause.Success.class);
        assertThat(effects.log).contains("TERM ps");
    }

    @Test
    void aServiceThatEndsBadlyAfterTheOutcomeHasNotFailed() throws InterruptedException {
        effects.onStart("worker-0", id -> {
            long now = events.now();
            events.post(ended("worker-0", 0, now));
            events.post(ended("ps", 1, now + 1));
        });

        Verdict verdict = run(LONG, plan(Outcome.ALL_TASKS, service("ps", false), task("worker-0")));

        assertThat(verdict.cause()).isInstanceOf(Cause.Success.class);
        assertThat(verdict.processes()).extracting(ProcessReport::failed).containsOnly(false);
    }
}
