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
import dev.muster.runtime.process.SupervisorEvent;
import dev.muster.runtime.report.Cause;
import dev.muster.runtime.report.ProcessReport;
import dev.muster.runtime.report.Verdict;
import dev.muster.spi.Condition;
import dev.muster.spi.HostedRanks;
import dev.muster.spi.Outcome;
import dev.muster.spi.ProcessSpec;
import java.time.Duration;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Which processes a stop reaches, and in which order. */
@Timeout(60)
class SupervisorStopTest extends ScriptedRun {

    private static final Duration SHORT = Duration.ofMillis(60);

    @Test
    void aSignalIsToldToOthersWhileTasksAreStopped() throws InterruptedException {
        effects.onStart("task", id -> effects.signalLauncher("TERM", 15)).ends("tell", 0);

        Verdict verdict = run(LONG, plan(Outcome.ALL_TASKS, task("task"), onStop("tell", Condition.IMMEDIATELY)));

        assertThat(verdict.cause()).isEqualTo(new Cause.Interrupted(new ReceivedSignal("TERM", 15)));
        assertThat(effects.log).containsSubsequence("start task", "TERM task", "start tell");
    }

    /** The hooks on a stop need what the prolog prepares, such as the key of the job. */
    @Test
    void aSignalIsToldWhenThePreparationsHaveEnded() throws InterruptedException {
        AtomicBoolean haveEnded = new AtomicBoolean();
        effects.onStart("keys", id -> {
                    effects.signalLauncher("TERM", 15);
                    CompletableFuture.delayedExecutor(100, TimeUnit.MILLISECONDS)
                            .execute(() -> {
                                haveEnded.set(true);
                                effects.end("keys", 0);
                            });
                })
                .onStart("tell", id -> {
                    assertThat(haveEnded).isTrue();
                    effects.end("tell", 0);
                });
        ProcessSpec keys = ProcessSpec.hook("keys", launch(), ProcessSpec.Phase.PROLOG, LONG)
                .withRequired();

        run(LONG, plan(Outcome.ALL_TASKS, keys, task("task"), onStop("tell", Condition.IMMEDIATELY)));

        assertThat(effects.log).containsSubsequence("start keys", "start tell").doesNotContain("start task");
    }

    @Test
    void aSignalIsToldWhileATaskStillWaitsForItsStart() throws InterruptedException {
        effects.onStart("sshd", id -> effects.signalLauncher("INT", 2)).ends("tell", 0);

        run(
                LONG,
                plan(
                        Outcome.ALL_TASKS,
                        service("sshd", false),
                        task("mpirun", Specs.NEVER),
                        onStop("tell", Condition.IMMEDIATELY)));

        assertThat(effects.log).containsSubsequence("start tell", "TERM sshd").doesNotContain("start mpirun");
        assertThat(effects.log).contains("start tell");
    }

    @Test
    void aCaseWithAnotherCodeThanZeroIsTold() throws InterruptedException {
        effects.ends("tell", 0);
        Outcome late = cases(decides(Condition.IMMEDIATELY, 75, "too late"));

        run(LONG, plan(late, onStop("tell", Condition.IMMEDIATELY)));

        assertThat(effects.log).contains("start tell");
    }

    @Test
    void successAndAFailureOfAProcessAreNotTold() throws InterruptedException {
        effects.ends("good", 0);
        run(LONG, plan(Outcome.ALL_TASKS, task("good"), onStop("tell", Condition.IMMEDIATELY)));
        effects.ends("bad", 3);
        run(LONG, plan(Outcome.ALL_TASKS, task("bad"), onStop("tell", Condition.IMMEDIATELY)));

        assertThat(effects.log).doesNotContain("start tell");
    }

    @Test
    void aStepThatHangsOrFailsIsNoMoreThanAWarning() throws InterruptedException {
        effects.onStart("task", id -> effects.signalLauncher("TERM", 15))
                .ignoresTerm("hangs")
                .ends("fails", 255);

        Verdict verdict = run(
                LONG,
                plan(
                        Outcome.ALL_TASKS,
                        task("task"),
                        onStop("hangs", Condition.IMMEDIATELY),
                        onStop("fails", Condition.IMMEDIATELY)));

        assertThat(verdict.cause()).isEqualTo(new Cause.Interrupted(new ReceivedSignal("TERM", 15)));
        assertThat(effects.log)
                .containsSubsequence("TERM task", "KILL hangs", "start fails")
                .contains("say: hangs took longer than 60ms; killing it");
    }

    @Test
    void aSecondInterruptEndsTheTelling() throws InterruptedException {
        effects.onStart("task", id -> effects.signalLauncher("INT", 2))
                .ignoresTerm("task")
                .onStart("tell", id -> effects.signalLauncher("INT", 2));
        ProcessSpec tell = ProcessSpec.hook("tell", launch(), ProcessSpec.Phase.ON_STOP, LONG);

        run(LONG, plan(Outcome.ALL_TASKS, task("task"), tell));

        assertThat(effects.log).contains("KILL task");
        assertThat(effects.isRunning("tell")).isFalse();
    }

    @Test
    void whoeverHasTheWholeGraceIsKilledThen() throws InterruptedException {
        effects.onStart("task", id -> effects.signalLauncher("TERM", 15)).ignoresTerm("task");

        Verdict verdict = run(SHORT, plan(Outcome.ALL_TASKS, task("task")));

        assertThat(effects.log)
                .containsSubsequence("TERM task", "KILL task")
                .contains("say: SIGKILL to 1 process after the grace period: task");
        assertThat(verdict.processes()).extracting(ProcessReport::failed).containsOnly(false);
    }

    @Test
    void hostsOfRanksAreStoppedWithTasksAlsoWhereTheyAreServices() throws InterruptedException {
        effects.onStart("mpirun", id -> effects.signalLauncher("TERM", 15));
        ProcessSpec sshd = ProcessSpec.service("sshd", launch()).withHosted(ranks(Condition.IMMEDIATELY));
        ProcessSpec tell = onStop("tell", Condition.IMMEDIATELY);
        effects.ends("tell", 0);

        run(LONG, plan(Outcome.ALL_TASKS, sshd, service("other", false), mpirun(Condition.IMMEDIATELY), tell));

        assertThat(effects.log)
                .containsSubsequence("note of the stop", "TERM mpirun", "start tell", "TERM other")
                .containsSubsequence("TERM sshd", "start tell");
    }

    @Test
    void aHostIsReleasedWhenWhatItWaitsForHasCome() throws InterruptedException {
        effects.ignoresTerm("sshd")
                .onStart("mpirun", id -> effects.signalLauncher("TERM", 15))
                .onTerm(
                        "sshd",
                        id -> events.post(new Event.OfSupervisor(
                                new SupervisorEvent.HostedRanksEnded(effects.pid("sshd")), events.now())));
        ProcessSpec sshd = ProcessSpec.service("sshd", launch()).withHosted(ranks(exited("mpirun")));

        run(Duration.ofSeconds(2), plan(Outcome.ALL_TASKS, sshd, mpirun(Condition.IMMEDIATELY)));

        assertThat(effects.log).contains("release sshd");
    }

    @Test
    void aSecondInterruptEndsTheTimeOfHostsToo() throws InterruptedException {
        effects.ignoresTerm("mpirun").onStart("mpirun", id -> {
            effects.signalLauncher("INT", 2);
            effects.signalLauncher("INT", 2);
        });

        run(LONG, plan(Outcome.ALL_TASKS, mpirun(Condition.IMMEDIATELY)));

        assertThat(effects.log).contains("KILL mpirun");
    }

    @Test
    void whoWasLeftBehindIsTold() throws InterruptedException {
        effects.onStart("task", id -> {
            events.post(new Event.OfSupervisor(new SupervisorEvent.LeftBehind(777, "daemon", 100), events.now()));
            events.post(new Event.OfSupervisor(new SupervisorEvent.LeftBehind(778, "other", 0), events.now()));
            events.post(new Event.OfSupervisor(new SupervisorEvent.StillRunning(5, 779, "hung"), events.now()));
            effects.end(id, 0);
        });

        run(LONG, plan(Outcome.ALL_TASKS, task("task")));

        assertThat(effects.log)
                .contains(
                        "say: SIGTERM to process 777 (daemon) of task (pid 100)",
                        "say: a process of this job left process 778 (other) behind; stopping it")
                .anyMatch(line -> line.startsWith("say: some processes are still there 10s after SIGKILL"));
    }

    @Test
    void tenOfManyThatWereLeftBehindAreTold() throws InterruptedException {
        effects.onStart("task", id -> {
            for (int pid = 1; pid <= 40; pid++) {
                events.post(new Event.OfSupervisor(new SupervisorEvent.LeftBehind(pid, "worker", 100), events.now()));
            }
            effects.end(id, 0);
        });

        run(LONG, plan(Outcome.ALL_TASKS, task("task")));

        assertThat(effects.log)
                .filteredOn(line -> line.contains("of task (pid 100)") || line.contains("left behind"))
                .hasSize(11);
    }

    @Test
    void withoutASupervisorNothingIsStartedOrAwaited() throws InterruptedException {
        effects.ignoresTerm("task")
                .onStart("task", id -> events.post(new Event.OfSupervisor(new SupervisorEvent.Lost(), events.now())));
        ProcessSpec after = ProcessSpec.hook("after", launch(), ProcessSpec.Phase.EPILOG, LONG);

        Verdict verdict = run(LONG, plan(Outcome.ALL_TASKS, task("task"), after));

        assertThat(((Cause.Decided) verdict.cause()).exitCode()).isEqualTo(75);
        assertThat(effects.log).doesNotContain("start after", "TERM task");
    }

    private static ProcessSpec mpirun(Condition afterwards) {
        return ProcessSpec.task("mpirun", launch()).withHosted(ranks(afterwards));
    }

    private static HostedRanks ranks(Condition until) {
        return new HostedRanks(until, 0, 0, new TreeSet<>());
    }

    private static ProcessSpec onStop(String id, Condition startWhen) {
        return ProcessSpec.hook(id, launch(), ProcessSpec.Phase.ON_STOP, SHORT).withStartWhen(startWhen);
    }
}
