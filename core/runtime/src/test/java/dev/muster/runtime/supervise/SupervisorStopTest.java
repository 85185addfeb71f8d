package dev.muster.runtime.supervise;

import static dev.muster.runtime.supervise.Specs.cases;
import static dev.muster.runtime.supervise.Specs.decides;
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
import dev.muster.spi.HostedRanks;
import dev.muster.spi.LaunchPlan;
import dev.muster.spi.Outcome;
import dev.muster.spi.ProcessSpec;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Whom a stop reaches, and in which order: others, forerunners, the process itself. */
@Timeout(20)
class SupervisorStopTest {

    private static final Duration LONG = Duration.ofMinutes(5);
    private static final Duration SHORT = Duration.ofMillis(60);

    private final Events events = new Events(System::nanoTime);
    private final ScriptedEffects world = new ScriptedEffects(events) {
        @Override
        public void signalProcesses(String signal, Collection<Long> pids) {
            goesOut(signal);
            super.signalProcesses(signal, pids);
            carriers.keySet().removeIf(pid -> pids.contains(pid) && (signal.equals("KILL") || !saving.contains(pid)));
        }

        @Override
        public List<Survivor> signalGroups(String signal, Collection<Long> groups) {
            goesOut(signal);
            return super.signalGroups(signal, groups);
        }
    };
    /** How long it takes until the first TERM has gone out. */
    private Duration delay = Duration.ZERO;

    private long termAt;
    private long killAt;
    /** Forerunners that do not end at once. */
    private final Set<Long> saving = new TreeSet<>();

    @Test
    void aSignalIsToldToOthersBeforeTasksAreStopped() throws InterruptedException {
        world.onStart("task", id -> world.signalLauncher("TERM", 15)).ends("tell", 0);

        Verdict verdict = run(LONG, plan(Outcome.ALL_TASKS, task("task"), onStop("tell", Condition.IMMEDIATELY)));

        assertThat(verdict.cause()).isEqualTo(new Cause.Interrupted("TERM", 15));
        assertThat(world.log).containsSubsequence("start task", "start tell", "TERM task");
    }

    /** Telling needs what is prepared, such as the key of the job. */
    @Test
    void aSignalIsToldWhenThePreparationsHaveEnded() throws InterruptedException {
        AtomicBoolean haveEnded = new AtomicBoolean();
        world.onStart("keys", id -> {
                    world.signalLauncher("TERM", 15);
                    CompletableFuture.delayedExecutor(100, TimeUnit.MILLISECONDS)
                            .execute(() -> {
                                haveEnded.set(true);
                                world.end("keys", 0);
                            });
                })
                .onStart("tell", id -> {
                    assertThat(haveEnded).isTrue();
                    world.end("tell", 0);
                });
        ProcessSpec keys = ProcessSpec.step("keys", launch(), ProcessSpec.Phase.BEFORE_TASKS, LONG)
                .required()
                .build();

        run(LONG, plan(Outcome.ALL_TASKS, keys, task("task"), onStop("tell", Condition.IMMEDIATELY)));

        assertThat(world.log).containsSubsequence("start keys", "start tell").doesNotContain("start task");
    }

    @Test
    void aSignalIsToldWhileATaskStillWaitsForItsStart() throws InterruptedException {
        world.onStart("sshd", id -> world.signalLauncher("INT", 2)).ends("tell", 0);

        run(
                LONG,
                plan(
                        Outcome.ALL_TASKS,
                        service("sshd", false),
                        task("mpirun", Specs.NEVER),
                        onStop("tell", Condition.IMMEDIATELY)));

        assertThat(world.log).containsSubsequence("start tell", "TERM sshd").doesNotContain("start mpirun");
        assertThat(world.log).contains("start tell");
    }

    @Test
    void aCaseWithAnotherCodeThanZeroIsTold() throws InterruptedException {
        world.ends("tell", 0);
        Outcome late = cases(decides(Condition.IMMEDIATELY, 75, "too late"));

        run(LONG, plan(late, onStop("tell", Condition.IMMEDIATELY)));

        assertThat(world.log).contains("start tell");
    }

    @Test
    void successAndAFailureOfAProcessAreNotTold() throws InterruptedException {
        world.ends("good", 0);
        run(LONG, plan(Outcome.ALL_TASKS, task("good"), onStop("tell", Condition.IMMEDIATELY)));
        world.ends("bad", 3);
        run(LONG, plan(Outcome.ALL_TASKS, task("bad"), onStop("tell", Condition.IMMEDIATELY)));

        assertThat(world.log).doesNotContain("start tell");
    }

    @Test
    void aStepThatHangsOrFailsIsNoMoreThanAWarning() throws InterruptedException {
        world.onStart("task", id -> world.signalLauncher("TERM", 15))
                .ignoresTerm("hangs")
                .ends("fails", 255);

        Verdict verdict = run(
                LONG,
                plan(
                        Outcome.ALL_TASKS,
                        task("task"),
                        onStop("hangs", Condition.IMMEDIATELY),
                        onStop("fails", Condition.IMMEDIATELY)));

        assertThat(verdict.cause()).isEqualTo(new Cause.Interrupted("TERM", 15));
        assertThat(world.log)
                .containsSubsequence("KILL hangs", "start fails", "TERM task")
                .contains("say: hangs took longer than 60ms; killing it");
    }

    @Test
    void aSecondInterruptEndsTheTelling() throws InterruptedException {
        world.onStart("task", id -> world.signalLauncher("INT", 2))
                .ignoresTerm("task")
                .onStart("tell", id -> world.signalLauncher("INT", 2));
        ProcessSpec tell = ProcessSpec.step("tell", launch(), ProcessSpec.Phase.ON_STOP, LONG)
                .build();

        run(LONG, plan(Outcome.ALL_TASKS, task("task"), tell));

        assertThat(world.log).contains("KILL task");
        assertThat(world.isRunning("tell")).isFalse();
    }

    /** As where the warden stands still, and another one has to take its place first. */
    @Test
    void theGraceBeginsWhenTheSignalHasGoneOut() throws InterruptedException {
        delay = SHORT;
        world.onStart("task", id -> world.signalLauncher("TERM", 15)).ignoresTerm("task");

        run(SHORT, plan(Outcome.ALL_TASKS, task("task")));

        assertThat(Duration.ofNanos(killAt - termAt)).isGreaterThanOrEqualTo(SHORT);
    }

    @Test
    void soDoesTheGraceOfForerunners() throws InterruptedException {
        delay = SHORT;
        world.carriers.put(501L, Set.of("RANK"));
        saving.add(501L);
        AtomicLong stoppedAt = new AtomicLong();
        world.onStart("mpirun", id -> world.signalLauncher("TERM", 15))
                .onTerm("mpirun", id -> stoppedAt.set(events.now()));

        run(SHORT, plan(Outcome.ALL_TASKS, mpirun(Condition.IMMEDIATELY)));

        assertThat(Duration.ofNanos(stoppedAt.get() - termAt)).isGreaterThanOrEqualTo(SHORT);
    }

    private void goesOut(String signal) {
        if (signal.equals("TERM")) {
            LockSupport.parkNanos(delay.toNanos());
            delay = Duration.ZERO;
            termAt = termAt == 0 ? events.now() : termAt;
        } else if (signal.equals("KILL")) {
            killAt = killAt == 0 ? events.now() : killAt;
        }
    }

    @Test
    void forerunnersHaveTheWholeGraceBeforeTheProcessIsSignalled() throws InterruptedException {
        world.carriers.put(501L, Set.of("RANK"));
        world.carriers.put(502L, Set.of("OTHER"));
        saving.add(501L);
        world.onStart("mpirun", id -> world.signalLauncher("TERM", 15));

        Verdict verdict = run(SHORT, plan(Outcome.ALL_TASKS, mpirun(Condition.IMMEDIATELY)));

        assertThat(world.log)
                .containsSubsequence(
                        "TERM process 501",
                        "say: SIGKILL to 1 process under mpirun after the grace period",
                        "KILL process 501",
                        "TERM mpirun")
                .containsOnlyOnce("TERM process 501")
                .doesNotContain("TERM process 502");
        assertThat(verdict.processes()).extracting(ProcessReport::failed).containsOnly(false);
    }

    @Test
    void theProcessIsSignalledAsSoonAsNoForerunnerIsLeft() throws InterruptedException {
        world.carriers.put(501L, Set.of("RANK"));
        world.onStart("mpirun", id -> world.signalLauncher("TERM", 15));

        run(LONG, plan(Outcome.ALL_TASKS, mpirun(Condition.IMMEDIATELY)));

        assertThat(world.log)
                .containsSubsequence("note of the stop", "TERM process 501", "CONT process 501", "TERM mpirun");
    }

    @Test
    void theProcessAlsoWaitsForWhatComesAfterwards() throws InterruptedException {
        world.onStart("sshd", id -> world.signalLauncher("TERM", 15)).onStart("release", id -> world.end("release", 0));
        ProcessSpec release = ProcessSpec.step("release", launch(), ProcessSpec.Phase.AFTER_OUTCOME, LONG)
                .build();
        ProcessSpec sshd = ProcessSpec.service("sshd", launch())
                .hosts(ranks(exited("release")))
                .build();

        run(LONG, plan(Outcome.ALL_TASKS, sshd, task("task", Specs.NEVER), release));

        assertThat(world.log).containsSubsequence("start release", "TERM sshd");
    }

    @Test
    void forerunnersHearOfAStopAtOnceAlsoUnderAServiceAndOnlyOnce() throws InterruptedException {
        world.carriers.put(501L, Set.of("RANK"));
        saving.add(501L);
        world.onStart("mpirun", id -> world.signalLauncher("TERM", 15)).onStart("tell", id -> {
            assertThat(world.log).contains("TERM process 501");
            saving.clear();
            world.carriers.clear();
            world.end("tell", 0);
        });
        ProcessSpec sshd = ProcessSpec.service("sshd", launch())
                .hosts(ranks(Condition.IMMEDIATELY))
                .build();

        run(LONG, plan(Outcome.ALL_TASKS, sshd, mpirun(Condition.IMMEDIATELY), onStop("tell", Condition.IMMEDIATELY)));

        assertThat(world.log)
                .containsSubsequence("TERM process 501", "start tell", "TERM mpirun", "TERM sshd")
                .containsOnlyOnce("TERM process 501");
    }

    @Test
    void whatARankStartsToSaveItsStateIsLeftInPeace() throws InterruptedException {
        ScriptedEffects forking = new ScriptedEffects(events) {
            @Override
            public void signalProcesses(String signal, Collection<Long> pids) {
                super.signalProcesses(signal, pids);
                // The rank copies its checkpoint; another rank was only being started.
                carriers.put(502L, Set.of("RANK"));
                parents.put(502L, 501L);
                carriers.put(503L, Set.of("RANK"));
            }
        };
        forking.carriers.put(501L, Set.of("RANK"));
        forking.onStart("mpirun", id -> forking.signalLauncher("TERM", 15));

        new Supervisor(
                        plan(Outcome.ALL_TASKS, mpirun(Condition.IMMEDIATELY)),
                        StopTimes.withGrace(SHORT),
                        events,
                        forking,
                        Others.NONE)
                .run();

        assertThat(forking.log).contains("TERM process 501", "TERM process 503").doesNotContain("TERM process 502");
    }

    @Test
    void aProcessThatEndsWithItsForerunnersHasNotFailed() throws InterruptedException {
        ScriptedEffects ending = new ScriptedEffects(events) {
            @Override
            public void signalProcesses(String signal, Collection<Long> pids) {
                super.signalProcesses(signal, pids);
                end("mpirun", 1);
            }
        };
        ending.carriers.put(501L, Set.of("RANK"));
        ending.onStart("bad", id -> ending.end("bad", 3));

        Verdict verdict = new Supervisor(
                        plan(Outcome.ALL_TASKS, mpirun(Condition.IMMEDIATELY), task("bad")),
                        StopTimes.withGrace(LONG),
                        events,
                        ending,
                        Others.NONE)
                .run();

        assertThat(verdict.processes()).extracting(ProcessReport::failed).containsExactly(false, true);
    }

    @DisplayName("4.24 what an mpirun leaves behind has heard as one of its ranks, and does not hear again")
    @Test
    void whoHasHeardAsAForerunnerDoesNotHearAgain() throws InterruptedException {
        ScriptedEffects leaving = new ScriptedEffects(events) {
            @Override
            public void signalProcesses(String signal, Collection<Long> pids) {
                super.signalProcesses(signal, pids);
                if (isRunning("mpirun")) {
                    leaveBehind(501, 501, true);
                    end("mpirun", 0);
                }
            }
        };
        leaving.carriers.put(501L, Set.of("RANK"));
        leaving.onStart("mpirun", id -> leaving.signalLauncher("TERM", 15));

        new Supervisor(
                        plan(Outcome.ALL_TASKS, mpirun(Condition.IMMEDIATELY)),
                        StopTimes.withGrace(SHORT),
                        events,
                        leaving,
                        Others.NONE)
                .run();

        assertThat(leaving.log).containsOnlyOnce("TERM process 501").contains("KILL process 501");
    }

    @Test
    void aSecondInterruptEndsTheTimeOfForerunnersToo() throws InterruptedException {
        world.carriers.put(501L, Set.of("RANK"));
        saving.add(501L);
        world.ignoresTerm("mpirun").onStart("mpirun", id -> {
            world.signalLauncher("INT", 2);
            world.signalLauncher("INT", 2);
        });

        run(LONG, plan(Outcome.ALL_TASKS, mpirun(Condition.IMMEDIATELY)));

        assertThat(world.log).contains("KILL mpirun");
    }

    private static ProcessSpec mpirun(Condition afterwards) {
        return ProcessSpec.task("mpirun", launch()).hosts(ranks(afterwards)).build();
    }

    private static HostedRanks ranks(Condition until) {
        return new HostedRanks(new TreeSet<>(List.of("RANK")), until, 0, 0);
    }

    private static ProcessSpec onStop(String id, Condition startWhen) {
        return ProcessSpec.step(id, launch(), ProcessSpec.Phase.ON_STOP, SHORT)
                .startWhen(startWhen)
                .build();
    }

    private Verdict run(Duration grace, LaunchPlan plan) throws InterruptedException {
        return new Supervisor(plan, StopTimes.withGrace(grace), events, world, Others.NONE).run();
    }

    /** The number of a group whose leader has ended may be a stranger's. */
    @Test
    void groupsOfEndedProcessesGetNoKillButWhatTheyLeftDoes() throws InterruptedException {
        long ended = 100;
        world.onStart("ended", id -> {
                    world.end(id, 0);
                    world.leaveBehind(777, ended, true);
                })
                .onStart("stubborn", id -> world.signalLauncher("TERM", 15))
                .ignoresTerm("stubborn");

        run(SHORT, plan(Outcome.ALL_TASKS, task("ended"), task("stubborn")));

        assertThat(world.killedGroups).containsExactly(ended + 1);
        assertThat(world.log).contains("KILL stubborn", "KILL process 777");
    }

    @Test
    void whatALeftProcessStartsToSaveItsStateIsLeftInPeace() throws InterruptedException {
        world.onStart("task", id -> {
            world.leaveBehind(777, 100, true, Duration.ofHours(1));
            world.signalLauncher("TERM", 15);
        });
        world.parents.put(778L, 777L);
        CompletableFuture.delayedExecutor(300, TimeUnit.MILLISECONDS)
                .execute(() -> world.leaveBehind(778, 100, true, Duration.ZERO));

        run(Duration.ofMillis(600), plan(Outcome.ALL_TASKS, task("task")));

        assertThat(world.log).doesNotContain("TERM process 778").contains("KILL process 778");
    }
}
