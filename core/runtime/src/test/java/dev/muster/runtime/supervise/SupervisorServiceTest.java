package dev.muster.runtime.supervise;

import static dev.muster.runtime.supervise.Specs.ended;
import static dev.muster.runtime.supervise.Specs.exited;
import static dev.muster.runtime.supervise.Specs.launch;
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
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Services: when they may end, and when they are not needed any more. */
@Timeout(20)
class SupervisorServiceTest {

    private static final Duration LONG = Duration.ofMinutes(5);
    private static final Duration SHORT = Duration.ofMillis(30);

    private final Events events = new Events(System::nanoTime);
    private final ScriptedEffects world = new ScriptedEffects(events);

    @Test
    void aServiceThatMayEndEndsWithZeroAndTheJobGoesOn() throws InterruptedException {
        world.ends("ps", 0).ends("worker-0", 0).ends("late", 0);
        LaunchPlan plan = plan(
                Outcome.ALL_TASKS,
                service("ps", Condition.NEVER, true),
                task("worker-0"),
                task("late", exited("worker-0", "ps")));

        Verdict verdict = run(LONG, plan);

        assertThat(verdict.cause()).isInstanceOf(Cause.Success.class);
        assertThat(world.log).contains("start late").noneMatch(line -> line.startsWith("TERM"));
        assertThat(verdict.processes()).extracting(ProcessReport::failed).containsOnly(false);
    }

    @Test
    void aServiceThatMayEndStillFailsWithAnyOtherEnd() throws InterruptedException {
        world.ends("ps", 3);

        Verdict verdict = run(LONG, plan(Outcome.ALL_TASKS, service("ps", Condition.NEVER, true), task("worker-0")));

        assertThat(verdict.cause()).isInstanceOfSatisfying(Cause.ProcessFailed.class, failed -> {
            assertThat(failed.process().id()).isEqualTo("ps");
            assertThat(failed.termination().exitCode()).isEqualTo(3);
        });
        assertThat(world.log).contains("say: ps (pid 100) failed: exit code 3");
    }

    @Test
    void aServiceThatMayEndIsAlsoStoppedAtTheEnd() throws InterruptedException {
        world.ends("worker-0", 0);

        Verdict verdict = run(LONG, plan(Outcome.ALL_TASKS, service("ps", Condition.NEVER, true), task("worker-0")));

        assertThat(verdict.cause()).isInstanceOf(Cause.Success.class);
        assertThat(world.log).contains("TERM ps");
    }

    @Test
    void aServiceThatIsNotNeededAnyMoreIsNeverStarted() throws InterruptedException {
        world.ends("worker-0", 0).ends("worker-1", 0);
        ProcessSpec ps = ProcessSpec.service("ps", launch())
                .startWhen(exited("worker-1"))
                .stopWhen(exited("worker-0"))
                .build();

        Verdict verdict =
                run(LONG, plan(Outcome.ALL_TASKS, task("worker-0"), ps, task("worker-1", exited("worker-0", "ps"))));

        assertThat(verdict.cause()).isInstanceOf(Cause.Success.class);
        assertThat(world.log)
                .contains("say: ps is not needed any more; not starting it", "start worker-1")
                .doesNotContain("start ps");
        assertThat(verdict.processes().get(1).termination()).isEmpty();
    }

    @Test
    void aServiceThatMayStartAndNeedNotAtTheSameMomentIsNeverStarted() throws InterruptedException {
        world.ends("worker-0", 0);
        ProcessSpec ps = ProcessSpec.service("ps", launch())
                .startWhen(exited("worker-0"))
                .stopWhen(exited("worker-0"))
                .build();

        run(LONG, plan(Outcome.ALL_TASKS, task("worker-0"), ps));

        assertThat(world.log).doesNotContain("start ps");
    }

    @Test
    void whatAServiceLeftBehindIsEndedWithItWhileTheRestGoesOn() throws InterruptedException {
        ScriptedEffects effects = new ScriptedEffects(events) {
            @Override
            public void signalProcesses(String signal, java.util.Collection<Long> pids) {
                super.signalProcesses(signal, pids);
                if (signal.equals("KILL")) {
                    end("worker-1", 0);
                }
            }
        };
        effects.leaveBehind(500, 100, true);
        effects.ends("worker-0", 0);
        LaunchPlan plan =
                plan(Outcome.ALL_TASKS, service("ps", exited("worker-0"), false), task("worker-0"), task("worker-1"));

        Verdict verdict = new Supervisor(plan, StopTimes.withGrace(SHORT), events, effects, Others.NONE).run();

        assertThat(verdict.cause()).isInstanceOf(Cause.Success.class);
        assertThat(effects.log)
                .containsSubsequence("say: ps is not needed any more; stopping it", "TERM ps", "KILL process 500")
                .doesNotContain("TERM worker-1");
    }

    @Test
    void whatAServiceLeftBehindThatEndedByItselfGoesWhenItIsNotNeededAnyMore() throws InterruptedException {
        ScriptedEffects effects = new ScriptedEffects(events) {
            @Override
            public void signalProcesses(String signal, java.util.Collection<Long> pids) {
                super.signalProcesses(signal, pids);
                end("worker-1", 0);
            }
        };
        effects.leaveBehind(500, 100, false);
        effects.ends("ps", 0).ends("worker-0", 0);
        LaunchPlan plan =
                plan(Outcome.ALL_TASKS, service("ps", exited("worker-0"), true), task("worker-0"), task("worker-1"));

        Verdict verdict = new Supervisor(plan, StopTimes.withGrace(LONG), events, effects, Others.NONE).run();

        assertThat(verdict.cause()).isInstanceOf(Cause.Success.class);
        assertThat(effects.log)
                .contains("say: ps (pid 100) left process 500 (child500) behind; stopping it", "TERM process 500")
                .doesNotContain("TERM worker-1", "TERM ps");
    }

    @Test
    void theOutcomeWaitsForAServiceThatIsStillBeingStopped() throws InterruptedException {
        world.ignoresTerm("ps").ends("worker-0", 0).ends("worker-1", 0);

        Verdict verdict = run(
                SHORT,
                plan(Outcome.ALL_TASKS, service("ps", exited("worker-0"), false), task("worker-0"), task("worker-1")));

        assertThat(verdict.cause()).isInstanceOf(Cause.Success.class);
        assertThat(world.log).containsSubsequence("TERM ps", "KILL ps").containsOnlyOnce("TERM ps");
        assertThat(verdict.processes().get(0).stoppedByUs()).isTrue();
    }

    @Test
    void aServiceThatEndsBadlyAfterTheOutcomeHasNotFailed() throws InterruptedException {
        world.onStart("worker-0", id -> {
            long now = events.now();
            events.post(ended("worker-0", 0, now));
            events.post(ended("ps", 1, now + 1));
        });

        Verdict verdict = run(LONG, plan(Outcome.ALL_TASKS, service("ps", Condition.NEVER, false), task("worker-0")));

        assertThat(verdict.cause()).isInstanceOf(Cause.Success.class);
        assertThat(verdict.processes()).extracting(ProcessReport::failed).containsOnly(false);
    }

    private Verdict run(Duration grace, LaunchPlan plan) throws InterruptedException {
        return new Supervisor(plan, StopTimes.withGrace(grace), events, world, Others.NONE).run();
    }
}
