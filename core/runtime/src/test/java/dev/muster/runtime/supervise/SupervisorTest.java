package dev.muster.runtime.supervise;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.runtime.process.Signals.ReceivedSignal;
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
import dev.muster.spi.RankInfo;
import dev.muster.spi.Value;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class SupervisorTest extends ScriptedRun {

    private static final Duration SHORT = Duration.ofMillis(30);

    @Test
    void succeedsWhenAllTasksEndWithZero() throws InterruptedException {
        effects.ends("rank-0", 0).ends("rank-1", 0);

        Verdict verdict = run(LONG, rank(0), rank(1));

        assertThat(verdict.cause()).isInstanceOf(Cause.Success.class);
        assertThat(verdict.processes()).extracting(ProcessReport::stoppedByUs).containsOnly(false);
        assertThat(effects.log)
                .containsSubsequence("start rank-0", "start rank-1")
                .noneMatch(line -> line.startsWith("TERM"));
    }

    @Test
    void aTaskThatEndsWithZeroLetsTheOthersRun() throws InterruptedException {
        effects.ends("rank-0", 0).onStart("rank-1", id -> effects.end(id, 0));

        assertThat(run(LONG, rank(0), rank(1)).cause()).isInstanceOf(Cause.Success.class);
    }

    @Test
    void theFirstFailureStopsTheOthersAndIsTheCause() throws InterruptedException {
        effects.onStart("rank-2", id -> effects.end("rank-1", 3));

        Verdict verdict = run(LONG, rank(0), rank(1), rank(2));

        assertThat(causeId(verdict)).isEqualTo("rank-1");
        assertThat(effects.log).contains("TERM rank-0", "TERM rank-2");
        assertThat(verdict.processes()).extracting(ProcessReport::stoppedByUs).containsExactly(true, false, true);
    }

    @Test
    void ofTwoFailuresTheEarlierOneIsTheCauseWhateverTheOrderOfArrival() throws InterruptedException {
        effects.onStart("rank-1", id -> {
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
        effects.onStart("rank-0", id -> events.post(new Event.Broken("link", new StackOverflowError(), events.now())));

        assertThatThrownBy(() -> run(LONG, rank(0)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("thread link: java.lang.StackOverflowError");
    }

    @Test
    void noTaskStartsAfterASignal() throws InterruptedException {
        effects.onStart("rank-0", id -> effects.signalLauncher("TERM", 15));

        Verdict verdict = run(LONG, rank(0), rank(1));

        assertThat(verdict.cause()).isEqualTo(new Cause.Interrupted(new ReceivedSignal("TERM", 15)));
        assertThat(effects.log).contains("TERM rank-0").doesNotContain("start rank-1");
        assertThat(verdict.processes().get(1).termination()).isEmpty();
    }

    @Test
    void ranksThatIgnoreTermAreKilledAfterTheGracePeriod() throws InterruptedException {
        effects.ignoresTerm("rank-0").onStart("rank-1", id -> effects.signalLauncher("TERM", 15));

        Verdict verdict = run(SHORT, rank(0), rank(1));

        assertThat(effects.log).containsSubsequence("TERM rank-0", "KILL rank-0");
        assertThat(effects.log).contains("say: SIGKILL to 1 rank after the grace period: rank 0");
        assertThat(verdict.cause()).isEqualTo(new Cause.Interrupted(new ReceivedSignal("TERM", 15)));
        assertThat(verdict.age()).as("time since the signal").isGreaterThanOrEqualTo(SHORT);
    }

    @Test
    void aSecondSigtermChangesNothing() throws InterruptedException {
        effects.ignoresTerm("rank-0").onStart("rank-0", id -> {
            effects.signalLauncher("TERM", 15);
            effects.signalLauncher("TERM", 15);
            effects.end("rank-0", 0);
        });

        Verdict verdict = run(LONG, rank(0));

        assertThat(verdict.cause()).isEqualTo(new Cause.Interrupted(new ReceivedSignal("TERM", 15)));
        assertThat(effects.log)
                .doesNotContain("KILL rank-0")
                .contains("say: received SIGTERM; already stopping (grace 5m)");
    }

    @Test
    void aSecondSigintEndsTheGracePeriod() throws InterruptedException {
        effects.ignoresTerm("rank-0").onStart("rank-0", id -> {
            effects.signalLauncher("INT", 2);
            effects.signalLauncher("INT", 2);
        });

        assertThat(run(LONG, rank(0)).cause()).isEqualTo(new Cause.Interrupted(new ReceivedSignal("INT", 2)));
        assertThat(effects.log).contains("KILL rank-0");
    }

    @Test
    void userSignalsPassToTheLeadersAndStopNothing() throws InterruptedException {
        effects.onStart("rank-0", id -> {
            effects.signalLauncher("USR1", 10);
            effects.signalLauncher("USR2", 12);
            effects.end("rank-0", 0);
        });

        assertThat(run(LONG, rank(0)).cause()).isInstanceOf(Cause.Success.class);
        assertThat(effects.log)
                .contains("USR1 process 100", "USR2 process 100")
                .noneMatch(line -> line.startsWith("TERM"));
    }

    @Test
    void aServiceIsStoppedAfterTheTasks() throws InterruptedException {
        effects.onStart("rank-0", id -> effects.end(id, 0));

        Verdict verdict = run(LONG, service("sshd"), rank(0));

        assertThat(verdict.cause()).isInstanceOf(Cause.Success.class);
        assertThat(effects.log).containsSubsequence("start sshd", "start rank-0", "TERM sshd");
    }

    @Test
    void servicesAreStoppedInReverseOrder() throws InterruptedException {
        effects.onStart("rank-0", id -> effects.end(id, 0));

        run(LONG, service("first"), service("second"), rank(0));

        assertThat(effects.log).contains("TERM first", "TERM second");
    }

    @Test
    void aServiceThatEndsBeforeItIsToldToFailsTheJob() throws InterruptedException {
        effects.onStart("rank-0", id -> effects.end("sshd", 0));

        assertThat(causeId(run(LONG, service("sshd"), rank(0)))).isEqualTo("sshd");
        assertThat(effects.log).contains("TERM rank-0");
    }

    @Test
    void stepsRunBeforeAndAfterTheTasks() throws InterruptedException {
        effects.ends("make", 0).ends("release", 0).onStart("rank-0", id -> effects.end(id, 7));

        Verdict verdict = run(
                LONG,
                step("release", ProcessSpec.Phase.EPILOG, true, LONG),
                step("make", ProcessSpec.Phase.PROLOG, true, LONG),
                rank(0));

        assertThat(causeId(verdict)).isEqualTo("rank-0");
        assertThat(effects.log).containsSubsequence("start make", "start rank-0", "start release");
    }

    @Test
    void aRequiredStepThatFailsStartsNoTask() throws InterruptedException {
        effects.ends("make", 9);

        Verdict verdict = run(LONG, step("make", ProcessSpec.Phase.PROLOG, true, LONG), rank(0));

        assertThat(causeId(verdict)).isEqualTo("make");
        assertThat(effects.log).doesNotContain("start rank-0");
    }

    @Test
    void anOverdueStepIsKilledAndForgivenUnlessRequired() throws InterruptedException {
        effects.ends("rank-0", 0);

        Verdict verdict = run(LONG, step("slow", ProcessSpec.Phase.PROLOG, false, SHORT), rank(0));

        assertThat(verdict.cause()).isInstanceOf(Cause.Success.class);
        assertThat(effects.log).containsSubsequence("start slow", "KILL slow", "start rank-0");
    }

    @Test
    void aRequiredStepThatIsOverdueIsTheCause() throws InterruptedException {
        Verdict verdict = run(LONG, step("slow", ProcessSpec.Phase.PROLOG, true, SHORT), rank(0));

        assertThat(verdict.cause())
                .isInstanceOfSatisfying(
                        Cause.ProcessFailed.class,
                        failed -> assertThat(failed.reason().orElseThrow())
                                .startsWith("it took longer than ")
                                .endsWith(", and was killed by this launcher"));
        assertThat(effects.log).containsSubsequence("start slow", "KILL slow").doesNotContain("start rank-0");
    }

    @Test
    void aCaseOfTheOutcomeEndsTheJob() throws InterruptedException {
        Condition ended = Condition.exited(List.of("rank-0"));
        effects.onStart("rank-1", id -> effects.end("rank-0", 0));
        LaunchPlan plan =
                Specs.plan(Outcome.firstOf(List.of(new Outcome.Case(ended, 75, "the peer is gone"))), rank(0), rank(1));

        Verdict verdict = run(LONG, plan);

        assertThat(verdict.cause()).isEqualTo(new Cause.Decided(75, "the peer is gone"));
        assertThat(effects.log).contains("TERM rank-1");
    }

    private Verdict run(Duration grace, ProcessSpec... processes) throws InterruptedException {
        return run(grace, Specs.plan(Outcome.ALL_TASKS, processes));
    }

    private static ProcessSpec rank(int rank) {
        return ProcessSpec.task("rank-" + rank, launch()).withPlacement(new RankInfo(rank, rank, 3));
    }

    private static ProcessSpec service(String id) {
        return ProcessSpec.service(id, launch());
    }

    private static ProcessSpec step(String id, ProcessSpec.Phase phase, boolean required, Duration deadline) {
        ProcessSpec.Hook step = ProcessSpec.hook(id, launch(), phase, deadline);
        return required ? step.withRequired() : step;
    }

    private static Launch launch() {
        return new Launch(List.of(Value.of("true")), EnvironmentChange.NONE, "/", "log");
    }
}
