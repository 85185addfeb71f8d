package dev.muster.runtime.supervise;

import dev.muster.runtime.report.Cause;
import dev.muster.runtime.report.Verdict;
import dev.muster.spi.LaunchPlan;
import java.time.Duration;

/** Runs plans of a launcher that is alone, with simulated processes. */
abstract class ScriptedRun {

    static final Duration LONG = Duration.ofMinutes(5);

    final Events events = new Events(System::nanoTime);
    final ScriptedEffects effects = new ScriptedEffects(events);

    Verdict run(Duration grace, LaunchPlan plan) throws InterruptedException {
        return run(Specs.times(grace), plan);
    }

    Verdict run(StopTimes times, LaunchPlan plan) throws InterruptedException {
        return Supervisor.of(plan, times, events, effects, PeerLink.NONE).run();
    }

    /** The id of the process whose failure is the cause. */
    static String causeId(Verdict verdict) {
        return ((Cause.ProcessFailed) verdict.cause()).process().id();
    }
}
