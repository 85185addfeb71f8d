package dev.muster.runtime.supervise;

import static dev.muster.runtime.supervise.Specs.plan;
import static dev.muster.runtime.supervise.Specs.service;
import static dev.muster.runtime.supervise.Specs.task;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.runtime.report.Cause;
import dev.muster.runtime.report.Verdict;
import dev.muster.spi.LaunchPlan;
import dev.muster.spi.Outcome;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** After a failure the launcher waits: the other tasks may notice it and end by themselves. */
@Timeout(60)
class FailureGraceTest extends ScriptedRun {

    private static final Duration SHORT = Duration.ofMillis(60);

    @Test
    void tasksThatEndByThemselvesAreNotSignalled() throws InterruptedException {
        effects.onStart("second", id -> {
            effects.end("first", 3);
            effects.end("second", 3);
        });

        Verdict verdict =
                runPatiently(LONG, plan(Outcome.ALL_TASKS, service("network", false), task("first"), task("second")));

        assertIsFailureOf("first", verdict);
        assertThat(effects.log)
                .contains("say: first (pid 101) failed: exit code 3")
                .doesNotContain("TERM second")
                .contains("TERM network");
    }

    @Test
    void patienceEnds() throws InterruptedException {
        effects.onStart("second", id -> effects.end("first", 3));

        assertIsFailureOf("first", runPatiently(SHORT, plan(Outcome.ALL_TASKS, task("first"), task("second"))));
        assertThat(effects.log).contains("TERM second");
    }

    @Test
    void aSignalEndsItAtOnce() throws InterruptedException {
        effects.onStart("second", id -> {
            effects.end("first", 3);
            effects.signalLauncher("TERM", 15);
        });

        assertIsFailureOf("first", runPatiently(LONG, plan(Outcome.ALL_TASKS, task("first"), task("second"))));
        assertThat(effects.log).contains("TERM second");
    }

    @Test
    void nobodyIsSaidToHaveFailedBeforeWhereAllEndByThemselves() throws InterruptedException {
        effects.failsBecauseOfAnother("first");
        effects.tracebacks.add("second");
        effects.onStart("second", id -> effects.end("first", 3));
        effects.whenSaid = line -> {
            if (line.startsWith("first ") && line.contains("failed")) {
                effects.end("second", 4);
            }
        };

        assertIsFailureOf("first", runPatiently(LONG, plan(Outcome.ALL_TASKS, task("first"), task("second"))));
        assertThat(effects.log).noneMatch(line -> line.contains("failed before"));
    }

    private static void assertIsFailureOf(String id, Verdict verdict) {
        assertThat(verdict.cause())
                .isInstanceOfSatisfying(
                        Cause.ProcessFailed.class,
                        failed -> assertThat(failed.process().id()).isEqualTo(id));
    }

    private Verdict runPatiently(Duration patience, LaunchPlan plan) throws InterruptedException {
        return run(Specs.times(LONG, LONG, patience, LONG), plan);
    }
}
