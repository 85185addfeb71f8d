package dev.muster.runtime.supervise;

import dev.muster.runtime.conditions.ConditionWatch;
import dev.muster.runtime.output.WaitReporter;
import dev.muster.runtime.output.WaitReporter.Waiting;
import dev.muster.spi.LaunchPlan;
import java.time.Duration;

/**
 * What all parts of the event loop see and act on. Only the event loop touches it.
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
        Peers peers) {

    /** Nothing has happened yet. */
    static AttemptState of(LaunchPlan plan, StopTimes times, Events clock, Effects effects, Peers peers) {
        ProcessRegistry processes = new ProcessRegistry(plan);
        ConditionWatch conditions = new ConditionWatch(
                plan.conditions(), clock::now, (met, when) -> clock.post(new Event.ConditionMet(met, when)));
        return new AttemptState(processes, new OutcomeState(), times, conditions, effects, clock, peers);
    }

    /** Now, on the clock of all events. */
    long now() {
        return clock.now();
    }

    /** A line for the user. */
    void say(String line) {
        effects.say(line);
    }

    /** A wait that the user is told of when it takes longer. */
    Waiting waitQuietFor(Duration quiet) {
        return new WaitReporter(effects::say, clock::now).quietFor(quiet);
    }
}
