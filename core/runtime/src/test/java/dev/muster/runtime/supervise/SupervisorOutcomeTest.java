package dev.muster.runtime.supervise;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.runtime.process.Termination;
import dev.muster.runtime.report.Cause;
import dev.muster.runtime.report.ProcessReport;
import dev.muster.runtime.report.Verdict;
import dev.muster.spi.Condition;
import dev.muster.spi.EnvironmentChange;
import dev.muster.spi.Launch;
import dev.muster.spi.LaunchPlan;
import dev.muster.spi.Outcome;
import dev.muster.spi.ProcessSpec;
import dev.muster.spi.StopMethod;
import dev.muster.spi.Value;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Jobs whose end services and cases decide. */
@Timeout(20)
class SupervisorOutcomeTest {

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
    void aCaseThatDecidesIsSaidAtOnceWithWhatIsStopped() throws InterruptedException {
        world.onStart("worker-1", id -> world.end("worker-0", 0));

        Verdict verdict = run(
                LONG, plan(cases(decides(exited("worker-0"), 75, "ps 1 is lost")), task("worker-0"), task("worker-1")));

        assertThat(verdict.cause()).isEqualTo(new Cause.Decided(75, "ps 1 is lost"));
        assertThat(world.log).containsSubsequence("say: ps 1 is lost; stopping 1 process (grace 5m)", "TERM worker-1");
    }

    @Test
    void nothingIsStoppedWhereNothingRuns() throws InterruptedException {
        world.ends("worker-0", 0);

        run(LONG, plan(cases(decides(exited("worker-0"), 0, "all workers are done")), task("worker-0")));

        assertThat(world.log).contains("say: all workers are done");
    }

    @Test
    void aPlanWithoutProcessesEndsWhenACaseHoldsAtOnce() throws InterruptedException {
        Verdict verdict = run(LONG, plan(cases(decides(Condition.IMMEDIATELY, 0, "this container has nothing to do"))));

        assertThat(verdict.cause()).isEqualTo(new Cause.Decided(0, "this container has nothing to do"));
        assertThat(verdict.duration()).isZero();
        assertThat(world.log).containsExactly("say: this container has nothing to do");
    }

    @Test
    void aPlanWithoutProcessesCanBeInterrupted() throws InterruptedException {
        world.signalLauncher("TERM", 15);

        Verdict verdict = run(LONG, plan(cases(decides(Condition.NEVER, 0, "never"))));

        assertThat(verdict.cause()).isEqualTo(new Cause.Interrupted("TERM", 15));
        assertThat(world.log).containsExactly("say: received SIGTERM");
    }

    @Test
    void aFailureThatMakesACaseTrueIsTheCause() throws InterruptedException {
        world.ends("worker-0", 9);

        Verdict verdict = run(LONG, plan(cases(decides(exited("worker-0"), 0, "done")), task("worker-0")));

        assertThat(causeId(verdict)).isEqualTo("worker-0");
    }

    @Test
    void aFailureAfterTheEndThatMadeACaseTrueIsNone() throws InterruptedException {
        world.onStart("worker-1", id -> {
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
        world.onStart("worker-1", id -> {
            long now = events.now();
            events.post(ended("worker-0", 0, now));
            events.post(ended("worker-1", 1, now - 1));
        });

        Verdict verdict =
                run(LONG, plan(cases(decides(exited("worker-0"), 0, "done")), task("worker-0"), task("worker-1")));

        assertThat(causeId(verdict)).isEqualTo("worker-1");
    }

    @Test
    void ofTwoCasesAtTheSameMomentTheFirstInThePlanDecides() throws InterruptedException {
        world.ends("worker-0", 0);
        Condition also = new Condition.AnyOf(List.of(exited("worker-0")));

        Verdict verdict = run(
                LONG,
                plan(cases(decides(also, 1, "first"), decides(exited("worker-0"), 2, "second")), task("worker-0")));

        assertThat(verdict.cause()).isEqualTo(new Cause.Decided(1, "first"));
    }

    @Test
    void theOrderOfEndsDecidesBetweenCases() throws InterruptedException {
        world.onStart("b", id -> {
            world.end("b", 0);
            world.end("a", 0);
        });
        Outcome outcome = cases(
                decides(new Condition.Before(exited("a"), exited("b")), 1, "a was first"),
                decides(
                        new Condition.AllOf(List.of(exited("a"), new Condition.Before(exited("b"), exited("a")))),
                        2,
                        "b"));

        assertThat(run(LONG, plan(outcome, task("a"), task("b"))).cause()).isEqualTo(new Cause.Decided(2, "b"));
    }

    @Test
    void timeCanEndAJob() throws InterruptedException {
        Outcome outcome = cases(decides(new Condition.Elapsed(SHORT), 75, "worker 1 never came"));

        Verdict verdict = run(LONG, plan(outcome, service("ps", Condition.NEVER, false)));

        assertThat(verdict.cause()).isEqualTo(new Cause.Decided(75, "worker 1 never came"));
        assertThat(world.log)
                .containsSubsequence(
                        "start ps",
                        "say: started 1 process: ps",
                        "say: worker 1 never came; stopping 1 process (grace 5m)",
                        "TERM ps");
    }

    @Test
    void theTaskWhoseSuccessIsEnoughIsKnown() throws InterruptedException {
        world.onStart("worker-1", id -> world.end("chief-0", 0));

        Verdict verdict = run(LONG, plan(new Outcome.DecidedBy("chief-0"), task("chief-0"), task("worker-1")));

        assertThat(verdict.cause())
                .isEqualTo(
                        new Cause.Success(Optional.of(verdict.processes().get(0).spec())));
    }

    @Test
    void aServiceThatIsNotNeededAnyMoreIsNeverStarted() throws InterruptedException {
        world.ends("worker-0", 0).ends("worker-1", 0);
        ProcessSpec ps = new ProcessSpec.Service(
                "ps", launch(), exited("worker-1"), exited("worker-0"), false, StopMethod.DEFAULT);

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
        ProcessSpec ps = new ProcessSpec.Service(
                "ps", launch(), exited("worker-0"), exited("worker-0"), false, StopMethod.DEFAULT);

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

        Verdict verdict = new Supervisor(plan, SHORT, events, effects).run();

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

        Verdict verdict = new Supervisor(plan, LONG, events, effects).run();

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
        return new Supervisor(plan, grace, events, world).run();
    }

    private static Event ended(String id, int code, long when) {
        return new Event.Ended(id, Termination.exited(code), when);
    }

    private static String causeId(Verdict verdict) {
        return ((Cause.ProcessFailed) verdict.cause()).process().id();
    }

    private static LaunchPlan plan(Outcome outcome, ProcessSpec... processes) {
        return new LaunchPlan(List.of(), List.of(), List.of(processes), outcome, List.of());
    }

    private static Outcome cases(Outcome.Case... cases) {
        return new Outcome.FirstOf(List.of(cases));
    }

    private static Outcome.Case decides(Condition when, int exitCode, String reason) {
        return new Outcome.Case(when, exitCode, reason);
    }

    private static Condition exited(String... ids) {
        return new Condition.Exited(new TreeSet<>(List.of(ids)));
    }

    private static ProcessSpec task(String id) {
        return task(id, Condition.IMMEDIATELY);
    }

    private static ProcessSpec task(String id, Condition startWhen) {
        return new ProcessSpec.Task(id, launch(), Optional.empty(), startWhen, StopMethod.DEFAULT);
    }

    private static ProcessSpec service(String id, Condition stopWhen, boolean mayEnd) {
        return new ProcessSpec.Service(id, launch(), Condition.IMMEDIATELY, stopWhen, mayEnd, StopMethod.DEFAULT);
    }

    private static Launch launch() {
        return new Launch(List.of(Value.of("true")), EnvironmentChange.NONE, "/", "log");
    }
}
