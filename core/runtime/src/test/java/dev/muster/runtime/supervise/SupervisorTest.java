package dev.muster.runtime.supervise;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.runtime.process.Termination;
import dev.muster.runtime.report.Cause;
import dev.muster.runtime.report.ProcessReport;
import dev.muster.runtime.report.Verdict;
import dev.muster.spi.Condition;
import dev.muster.spi.EnvironmentChange;
import dev.muster.spi.Launch;
import dev.muster.spi.LaunchPlan;
import dev.muster.spi.Outcome;
import dev.muster.spi.Placement;
import dev.muster.spi.ProcessSpec;
import dev.muster.spi.Value;
import java.time.Duration;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(20)
class SupervisorTest {

    private static final Duration LONG = Duration.ofMinutes(5);
    private static final Duration SHORT = Duration.ofMillis(30);

    private final Events events = new Events(System::nanoTime);
    private final ScriptedEffects world = new ScriptedEffects(events);

    @Test
    void succeedsWhenAllTasksEndWithZero() throws InterruptedException {
        world.ends("rank-0", 0).ends("rank-1", 0);

        Verdict verdict = run(LONG, rank(0), rank(1));

        assertThat(verdict.cause()).isInstanceOf(Cause.Success.class);
        assertThat(verdict.processes()).extracting(ProcessReport::stoppedByUs).containsOnly(false);
        assertThat(world.log)
                .containsSubsequence("start rank-0", "start rank-1")
                .noneMatch(line -> line.startsWith("TERM"));
    }

    @Test
    void aTaskThatEndsWithZeroLetsTheOthersRun() throws InterruptedException {
        world.ends("rank-0", 0).onStart("rank-1", id -> world.end(id, 0));

        assertThat(run(LONG, rank(0), rank(1)).cause()).isInstanceOf(Cause.Success.class);
    }

    @Test
    void theFirstFailureStopsTheOthersAndIsTheCause() throws InterruptedException {
        world.onStart("rank-2", id -> world.end("rank-1", 3));

        Verdict verdict = run(LONG, rank(0), rank(1), rank(2));

        assertThat(causeId(verdict)).isEqualTo("rank-1");
        assertThat(world.log).contains("TERM rank-0", "TERM rank-2");
        assertThat(verdict.processes()).extracting(ProcessReport::stoppedByUs).containsExactly(true, false, true);
    }

    @Test
    void ofTwoFailuresTheEarlierOneIsTheCauseWhateverTheOrderOfArrival() throws InterruptedException {
        world.onStart("rank-1", id -> {
            long now = events.now();
            events.post(new Event.Ended("rank-1", Termination.exited(4), now));
            events.post(new Event.Ended("rank-0", Termination.exited(3), now - 1));
        });

        Verdict verdict = run(LONG, rank(0), rank(1));

        assertThat(causeId(verdict)).isEqualTo("rank-0");
        assertThat(verdict.processes()).extracting(ProcessReport::failed).containsExactly(true, true);
    }

    @Test
    void aBrokenThreadOfTheLauncherIsItsOwnError() {
        world.onStart("rank-0", id -> events.post(new Event.Broken("link", new StackOverflowError(), events.now())));

        assertThatThrownBy(() -> run(LONG, rank(0)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("thread link: java.lang.StackOverflowError");
    }

    @Test
    void noTaskStartsAfterASignal() throws InterruptedException {
        world.onStart("rank-0", id -> world.signalLauncher("TERM", 15));

        Verdict verdict = run(LONG, rank(0), rank(1));

        assertThat(verdict.cause()).isEqualTo(new Cause.Interrupted("TERM", 15));
        assertThat(world.log).contains("TERM rank-0").doesNotContain("start rank-1");
        assertThat(verdict.processes().get(1).termination()).isEmpty();
    }

    @Test
    void ranksThatIgnoreTermAreKilledAfterTheGracePeriod() throws InterruptedException {
        world.ignoresTerm("rank-0").onStart("rank-1", id -> world.signalLauncher("TERM", 15));

        Verdict verdict = run(SHORT, rank(0), rank(1));

        assertThat(world.log).containsSubsequence("TERM rank-0", "KILL rank-0");
        assertThat(world.log).contains("say: SIGKILL to 1 rank after the grace period: rank 0");
        assertThat(verdict.cause()).isEqualTo(new Cause.Interrupted("TERM", 15));
        assertThat(verdict.age()).as("time since the signal").isGreaterThanOrEqualTo(SHORT);
    }

    @Test
    void aSecondSigtermChangesNothing() throws InterruptedException {
        world.ignoresTerm("rank-0").onStart("rank-0", id -> {
            world.signalLauncher("TERM", 15);
            world.signalLauncher("TERM", 15);
            world.end("rank-0", 0);
        });

        Verdict verdict = run(LONG, rank(0));

        assertThat(verdict.cause()).isEqualTo(new Cause.Interrupted("TERM", 15));
        assertThat(world.log)
                .doesNotContain("KILL rank-0")
                .contains("say: received SIGTERM; already stopping (grace 5m)");
    }

    @Test
    void aSecondSigintEndsTheGracePeriod() throws InterruptedException {
        world.ignoresTerm("rank-0").onStart("rank-0", id -> {
            world.signalLauncher("INT", 2);
            world.signalLauncher("INT", 2);
        });

        assertThat(run(LONG, rank(0)).cause()).isEqualTo(new Cause.Interrupted("INT", 2));
        assertThat(world.log).containsSubsequence("TERM rank-0", "KILL rank-0");
    }

    @Test
    void userSignalsPassToTheLeadersAndStopNothing() throws InterruptedException {
        world.onStart("rank-0", id -> {
            world.signalLauncher("USR1", 10);
            world.signalLauncher("USR2", 12);
            world.end("rank-0", 0);
        });

        assertThat(run(LONG, rank(0)).cause()).isInstanceOf(Cause.Success.class);
        assertThat(world.log)
                .contains("USR1 process 100", "USR2 process 100")
                .noneMatch(line -> line.startsWith("TERM"));
    }

    @Test
    void whatAFinishedRankLeftBehindIsStoppedAndNamed() throws InterruptedException {
        world.onStart("rank-0", id -> {
            world.leaveBehind(500, 100, false);
            world.end(id, 0);
        });

        assertThat(run(LONG, rank(0)).cause()).isInstanceOf(Cause.Success.class);
        assertThat(world.log)
                .contains("say: rank 0 (pid 100) left process 500 (child500) behind; stopping it", "TERM process 500")
                .doesNotContain("KILL process 500");
    }

    @Test
    void leftoversThatIgnoreTermAreKilledAfterTheGracePeriod() throws InterruptedException {
        world.onStart("rank-0", id -> {
            world.leaveBehind(500, 100, true);
            world.end(id, 5);
        });

        assertThat(causeId(run(SHORT, rank(0)))).isEqualTo("rank-0");
        assertThat(world.log).containsSubsequence("TERM process 500", "KILL process 500");
    }

    @Test
    void aProcessThatWasBeingForkedWhenItsGroupGotTheSignalGetsItAgain() throws InterruptedException {
        world.onStart("rank-0", id -> {
            world.leaveBehind(500, 100, false, Duration.ZERO);
            world.leaveBehind(501, 100, true, Duration.ofHours(1));
            world.signalLauncher("TERM", 15);
        });

        // Process 500 has to be seen to go before the grace is over, on a busy machine, too.
        run(Duration.ofMillis(300), rank(0));

        assertThat(world.log)
                .containsSubsequence("TERM rank-0", "TERM process 500", "KILL process 501")
                .doesNotContain("TERM process 501", "KILL process 500");
    }

    @Test
    void aProcessThatLostTheSignalBeforeItsProgramBeganGetsItAgain() throws InterruptedException {
        world.onStart("rank-0", id -> {
            world.leaveBehind(500, 100, false, Duration.ofHours(1));
            world.leaveBehind(501, 100, false, Duration.ofHours(1));
            world.endingByTerm.add(500L);
            world.endingByTerm.add(501L);
            world.signalLauncher("TERM", 15);
        });
        world.onTerm("rank-0", id -> world.becomesAnother(500, 100, 2));

        run(Duration.ofMillis(500), rank(0));

        assertThat(world.log)
                .as("501 has had a handler for one time")
                .containsSubsequence("TERM rank-0", "TERM process 500", "KILL process 501")
                .doesNotContain("TERM process 501", "KILL process 500");
    }

    @DisplayName("6.3b whose first thread has ended, so that its program is not seen any more, hears once")
    @Test
    void aProcessThatLosesItsFirstThreadHearsOnce() throws InterruptedException {
        world.onStart("rank-0", id -> {
            world.leaveBehind(500, 100, false, Duration.ofHours(1));
            world.endingByTerm.add(500L);
            world.signalLauncher("TERM", 15);
        });
        world.onTerm("rank-0", id -> world.becomesAnother(500, 100, 0));

        run(Duration.ofMillis(500), rank(0));

        assertThat(world.log)
                .containsSubsequence("TERM rank-0", "KILL process 500")
                .doesNotContain("TERM process 500");
    }

    @DisplayName("2.32 where survivors cannot be looked for the warden ends them")
    @Test
    void whatCannotBeSeenIsLeftToTheWarden() throws InterruptedException {
        world.isBlind = true;
        world.ends("rank-0", 3);

        assertThat(causeId(run(SHORT, rank(0)))).isEqualTo("rank-0");
        assertThat(world.log).contains("all left to the warden");
    }

    @DisplayName("4.20 who leaves its group because of the signal gets it once")
    @Test
    void aProcessThatLeavesItsGroupWhenThatGetsTheSignalHasHadIt() throws InterruptedException {
        world.onStart("rank-0", id -> {
            world.leaveBehind(500, 100, true);
            world.signalLauncher("TERM", 15);
        });
        world.onTerm("rank-0", id -> world.becomesAnother(500, 500, ScriptedEffects.PROGRAM));

        run(SHORT, rank(0));

        assertThat(world.log)
                .containsSubsequence("TERM rank-0", "KILL process 500")
                .doesNotContain("TERM process 500");
    }

    @Test
    void escapedProcessesAreStoppedToo() throws InterruptedException {
        world.onStart("rank-0", id -> {
            world.leaveBehind(600, 600, true);
            world.signalLauncher("TERM", 15);
        });

        run(SHORT, rank(0));

        assertThat(world.log).containsSubsequence("TERM rank-0", "TERM process 600", "KILL process 600");
    }

    @Test
    void aServiceIsStoppedAfterTheTasks() throws InterruptedException {
        world.onStart("rank-0", id -> world.end(id, 0));

        Verdict verdict = run(LONG, service("sshd"), rank(0));

        assertThat(verdict.cause()).isInstanceOf(Cause.Success.class);
        assertThat(world.log).containsSubsequence("start sshd", "start rank-0", "TERM sshd");
    }

    @Test
    void servicesAreStoppedInReverseOrder() throws InterruptedException {
        world.onStart("rank-0", id -> world.end(id, 0));

        run(LONG, service("first"), service("second"), rank(0));

        assertThat(world.log).contains("TERM first", "TERM second");
    }

    @Test
    void aServiceThatEndsBeforeItIsToldToFailsTheJob() throws InterruptedException {
        world.onStart("rank-0", id -> world.end("sshd", 0));

        assertThat(causeId(run(LONG, service("sshd"), rank(0)))).isEqualTo("sshd");
        assertThat(world.log).contains("TERM rank-0");
    }

    @Test
    void stepsRunBeforeAndAfterTheTasks() throws InterruptedException {
        world.ends("make", 0).ends("release", 0).onStart("rank-0", id -> world.end(id, 7));

        Verdict verdict = run(
                LONG,
                step("release", ProcessSpec.Phase.AFTER_OUTCOME, true, LONG),
                step("make", ProcessSpec.Phase.BEFORE_TASKS, true, LONG),
                rank(0));

        assertThat(causeId(verdict)).isEqualTo("rank-0");
        assertThat(world.log).containsSubsequence("start make", "start rank-0", "start release");
    }

    @Test
    void aRequiredStepThatFailsStartsNoTask() throws InterruptedException {
        world.ends("make", 9);

        Verdict verdict = run(LONG, step("make", ProcessSpec.Phase.BEFORE_TASKS, true, LONG), rank(0));

        assertThat(causeId(verdict)).isEqualTo("make");
        assertThat(world.log).doesNotContain("start rank-0");
    }

    @Test
    void anOverdueStepIsKilledAndForgivenUnlessRequired() throws InterruptedException {
        world.ends("rank-0", 0);

        Verdict verdict = run(LONG, step("slow", ProcessSpec.Phase.BEFORE_TASKS, false, SHORT), rank(0));

        assertThat(verdict.cause()).isInstanceOf(Cause.Success.class);
        assertThat(world.log).containsSubsequence("start slow", "KILL slow", "start rank-0");
    }

    @Test
    void aRequiredStepThatIsOverdueIsTheCause() throws InterruptedException {
        Verdict verdict = run(LONG, step("slow", ProcessSpec.Phase.BEFORE_TASKS, true, SHORT), rank(0));

        assertThat(verdict.cause())
                .isInstanceOfSatisfying(
                        Cause.ProcessFailed.class,
                        failed -> assertThat(failed.reason().orElseThrow())
                                .startsWith("it took longer than ")
                                .endsWith(", and was killed by this launcher"));
        assertThat(world.log).containsSubsequence("start slow", "KILL slow").doesNotContain("start rank-0");
    }

    @Test
    void aCaseOfTheOutcomeEndsTheJob() throws InterruptedException {
        Condition ended = new Condition.Exited(new TreeSet<>(List.of("rank-0")));
        world.onStart("rank-1", id -> world.end("rank-0", 0));
        LaunchPlan plan =
                plan(new Outcome.FirstOf(List.of(new Outcome.Case(ended, 75, "the peer is gone"))), rank(0), rank(1));

        Verdict verdict = new Supervisor(plan, StopTimes.withGrace(LONG), events, world, Others.NONE).run();

        assertThat(verdict.cause()).isEqualTo(new Cause.Decided(75, "the peer is gone"));
        assertThat(world.log).contains("TERM rank-1");
    }

    private Verdict run(Duration grace, ProcessSpec... processes) throws InterruptedException {
        return new Supervisor(
                        plan(Outcome.ALL_TASKS, processes), StopTimes.withGrace(grace), events, world, Others.NONE)
                .run();
    }

    private static LaunchPlan plan(Outcome outcome, ProcessSpec... processes) {
        return LaunchPlan.builder(outcome).processes(List.of(processes)).build();
    }

    private static String causeId(Verdict verdict) {
        return ((Cause.ProcessFailed) verdict.cause()).process().id();
    }

    private static ProcessSpec rank(int rank) {
        return ProcessSpec.task("rank-" + rank, launch())
                .placement(new Placement(rank, rank, 3))
                .build();
    }

    private static ProcessSpec service(String id) {
        return ProcessSpec.service(id, launch()).build();
    }

    private static ProcessSpec step(String id, ProcessSpec.Phase phase, boolean required, Duration deadline) {
        ProcessSpec.Step.Builder step = ProcessSpec.step(id, launch(), phase, deadline);
        return required ? step.required().build() : step.build();
    }

    private static Launch launch() {
        return new Launch(List.of(Value.of("true")), EnvironmentChange.NONE, "/", "log");
    }
}
