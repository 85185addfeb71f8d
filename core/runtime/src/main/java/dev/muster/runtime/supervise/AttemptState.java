package dev.muster.runtime.supervise;

import dev.muster.runtime.conditions.ConditionWatch;
import dev.muster.runtime.output.WaitReporter;
import dev.muster.runtime.output.WaitReporter.Waiting;
import dev.muster.spi.LaunchPlan;
import java.time.Duration;

/**
 * The state that all parts of the event loop share. Only the event loop uses it.
 *
 * @param times of this attempt
 * @param effects on the world
 * @param clock of all events, and their queue
 * @param peers the other launchers of the job
 */
record AttemptState(
        ProcessRegistry processes,
        OutcomeState outcome,
        StopTimes times,
        ConditionWatch conditions,
        Effects effects,
        Events clock,
        PeerLink peers) {

    /** The state at the start of an attempt. */
    static AttemptState of(LaunchPlan plan, StopTimes times, Events clock, Effects effects, PeerLink peers) {
        ProcessRegistry processes = new ProcessRegistry(plan);
        ConditionWatch conditions = new ConditionWatch(
                plan.conditions(), clock::now, (met, when) -> clock.post(new Event.ConditionMet(met, when)));
        return new AttemptState(processes, new OutcomeState(), times, conditions, effects, clock, peers);
    }

    long now() {
        return clock.now();
    }

    /** A line for the user. */
    void say(String line) {
        effects.say(line);
    }

    /** A wait that the user sees only if it takes longer than {@code quiet}. */
    Waiting waitQuietFor(Duration quiet) {
        return new WaitReporter(effects::say, clock::now).quietFor(quiet);
    }
}
