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

/** A task fails, and the others may learn of it by themselves. */
@Timeout(20)
class SupervisorPatienceTest {

    private static final Duration LONG = Duration.ofMinutes(5);
    private static final Duration SHORT = Duration.ofMillis(60);

    private final Events events = new Events(System::nanoTime);
    private final ScriptedEffects world = new ScriptedEffects(events);

    @Test
    void tasksThatEndByThemselvesAreNotSignalled() throws InterruptedException {
        world.onStart("second", id -> {
            world.end("first", 3);
            world.end("second", 3);
        });

        Verdict verdict = run(LONG, plan(Outcome.ALL_TASKS, service("network", false), task("first"), task("second")));

        assertIsFailureOf("first", verdict);
        assertThat(world.log)
                .contains("say: first (pid 101) failed: exit code 3")
                .doesNotContain("TERM second")
                .contains("TERM network");
    }

    @Test
    void patienceEnds() throws InterruptedException {
        world.onStart("second", id -> world.end("first", 3));

        assertIsFailureOf("first", run(SHORT, plan(Outcome.ALL_TASKS, task("first"), task("second"))));
        assertThat(world.log).contains("TERM second");
    }

    @Test
    void aSignalEndsItAtOnce() throws InterruptedException {
        world.onStart("second", id -> {
            world.end("first", 3);
            world.signalLauncher("TERM", 15);
        });

        assertIsFailureOf("first", run(LONG, plan(Outcome.ALL_TASKS, task("first"), task("second"))));
        assertThat(world.log).contains("TERM second");
    }

    private static void assertIsFailureOf(String id, Verdict verdict) {
        assertThat(verdict.cause())
                .isInstanceOfSatisfying(
                        Cause.ProcessFailed.class,
                        failed -> assertThat(failed.process().id()).isEqualTo(id));
    }

    private Verdict run(Duration patience, LaunchPlan plan) throws InterruptedException {
        StopTimes times = Specs.times(LONG, LONG, patience, LONG);
        return Supervisor.of(plan, times, events, world, Peers.NONE).run();
    }
}
