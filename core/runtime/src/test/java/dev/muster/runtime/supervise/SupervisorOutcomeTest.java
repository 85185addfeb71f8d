package dev.muster.runtime.supervise;

import static dev.muster.runtime.supervise.Specs.cases;
import static dev.muster.runtime.supervise.Specs.decides;
import static dev.muster.runtime.supervise.Specs.ended;
import static dev.muster.runtime.supervise.Specs.exited;
import static dev.muster.runtime.supervise.Specs.plan;
import static dev.muster.runtime.supervise.Specs.service;
import static dev.muster.runtime.supervise.Specs.task;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.runtime.conditions.Inquirer;
import dev.muster.runtime.report.Cause;
import dev.muster.runtime.report.ExitCodes;
import dev.muster.runtime.report.ProcessReport;
import dev.muster.runtime.report.Verdict;
import dev.muster.spi.Condition;
import dev.muster.spi.LaunchPlan;
import dev.muster.spi.Outcome;
import dev.muster.spi.Value;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Jobs whose end cases decide. */
@Timeout(20)
class SupervisorOutcomeTest {

    private static final Duration LONG = Duration.ofMinutes(5);
    private static final Duration SHORT = Duration.ofMillis(30);

    private final Events events = new Events(System::nanoTime);
    private final ScriptedEffects world = new ScriptedEffects(events);

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

    /** Whose processes end while the job goes on is free to go. */
    @Test
    void aNodeThatFollowsIsDoneWhenNothingOfItRuns() throws InterruptedException {
        world.onStart("ps-0", id -> {
            world.end("worker-0", 0);
            world.end("ps-0", 0);
        });

        Verdict verdict = run(
                LONG,
                plan(
                        new Outcome.FollowsLeader(OptionalInt.empty()),
                        task("worker-0"),
                        service("ps-0", Condition.NEVER, true)));

        assertThat(verdict.cause()).isEqualTo(new Cause.Success());
        assertThat(verdict.processes()).extracting(ProcessReport::stoppedByUs).containsOnly(false);
    }

    @Test
    void aNodeThatFollowsFailsWithItsOwnProcesses() throws InterruptedException {
        world.onStart("ps-0", id -> {
            world.end("worker-0", 0);
            world.end("ps-0", 3);
        });

        Verdict verdict = run(
                LONG,
                plan(
                        new Outcome.FollowsLeader(OptionalInt.empty()),
                        task("worker-0"),
                        service("ps-0", Condition.NEVER, true)));

        assertThat(causeId(verdict)).isEqualTo("ps-0");
    }

    @Test
    void aPrivateFileTellsCodeAndReason() throws InterruptedException {
        assertThat(told("137 rank 5 on w-3 was killed\n"))
                .isEqualTo(new Cause.Decided(137, "rank 5 on w-3 was killed"));
        assertThat(told("0")).isEqualTo(new Cause.Decided(0, "released"));
        assertThat(told(" 255 \n")).isEqualTo(new Cause.Decided(255, "released"));
        assertThat(told("3 two\nlines")).isEqualTo(new Cause.Decided(3, "two\\nlines"));
    }

    @Test
    void aPrivateFileThatHoldsNoCodeLeavesItToTheCase() throws InterruptedException {
        for (String text : List.of("", "256", "-1", "3x", "killed", "1234")) {
            assertThat(told(text)).as(text).isEqualTo(new Cause.Decided(70, "released"));
        }
    }

    private Cause told(String text) throws InterruptedException {
        world.privateTexts.put("code", text);
        Outcome.Case released =
                new Outcome.Case(Condition.IMMEDIATELY, 70, Optional.of("code"), Optional.empty(), "released");
        return run(LONG, plan(cases(released), task("a"))).cause();
    }

    @Test
    void aCaseNamesWhatIsMissingAndWhy() throws Exception {
        int refused = freePort();
        try (ServerSocket open = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            Condition.PortOpen there = new Condition.PortOpen("127.0.0.1", open.getLocalPort());
            Condition.PortOpen gone = new Condition.PortOpen("127.0.0.2", refused);
            List<Value> login = List.of(Value.of("login"));
            world.answers.put("login", new Inquirer.Reply(255, "Permission denied (publickey)."));
            Condition hosts = new Condition.AllOf(List.of(
                    there,
                    new Condition.CommandEnds(login, 0, there),
                    gone,
                    new Condition.CommandEnds(List.of(Value.of("other")), 0, gone)));
            Condition enough = new Condition.CommandEnds(login, 255, there);
            Outcome.Case late = new Outcome.Case(
                    new Condition.AllOf(List.of(enough, new Condition.Elapsed(Duration.ofMillis(200)))),
                    75,
                    Optional.empty(),
                    Optional.of(hosts),
                    "not all hosts came");

            Cause cause = run(LONG, plan(cases(late), task("mpirun", hosts))).cause();

            assertThat(cause)
                    .isEqualTo(new Cause.Decided(
                            75,
                            "not all hosts came: 127.0.0.1 (Permission denied (publickey).), "
                                    + "127.0.0.2 (connection refused)"));
        }
    }

    @Test
    void oneLineSaysWhichHostsAreAwaited() throws Exception {
        try (ServerSocket open = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            Condition hosts = new Condition.AllOf(List.of(
                    new Condition.PortOpen("127.0.0.1", open.getLocalPort()),
                    new Condition.PortOpen("w-3.invalid", 1),
                    new Condition.PortOpen("w-4.invalid", 1)));
            Outcome late = cases(decides(new Condition.Elapsed(Duration.ofMillis(1500)), 75, "late"));

            run(LONG, plan(late, task("mpirun", hosts)));

            assertThat(world.log)
                    .containsOnlyOnce("say: mpirun: 1/3 ready; waiting for w-3.invalid (no DNS), w-4.invalid (no DNS)");
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            return server.getLocalPort();
        }
    }

    private Verdict run(Duration grace, LaunchPlan plan) throws InterruptedException {
        return new Supervisor(plan, StopTimes.withGrace(grace), ExitCodes.STANDARD, events, world, Others.NONE).run();
    }

    private static String causeId(Verdict verdict) {
        return ((Cause.ProcessFailed) verdict.cause()).process().id();
    }
}
