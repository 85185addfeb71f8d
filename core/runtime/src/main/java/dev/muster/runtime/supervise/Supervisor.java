package dev.muster.runtime.supervise;

import dev.muster.runtime.process.SupervisorEvent;
import dev.muster.runtime.report.Verdict;
import dev.muster.spi.LaunchPlan;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Runs a plan. One thread, the caller's, owns all state. It takes one {@link Event} after another and moves through the phases of an
 * attempt. The earliest failure is the cause. The end of a process that Muster stopped is no failure.
 */
record Supervisor(
        AttemptState state,
        Phases phases,
        OutcomeDecider decider,
        StartScheduler starter,
        RequestHandler requests,
        PeerCommandHandler commands,
        StopCoordinator stops) {

    static Supervisor of(LaunchPlan plan, StopTimes times, Events events, Effects effects, PeerLink others) {
        AttemptState state = AttemptState.of(plan, times, events, effects, others);
        PeerNotifier peers = new PeerNotifier(state);
        AttemptReporter reporter = new AttemptReporter(state);
        OutcomeDecider decider = new OutcomeDecider(state, peers, reporter);
        HostedRankTracker hosted = new HostedRankTracker(state, peers);
        StopCoordinator stops = new StopCoordinator(state, hosted);
        StopDelays delays = new StopDelays(state, stops);
        ExitBarrier exit = new ExitBarrier(state);
        StartScheduler starter = new StartScheduler(state, peers, reporter, new StartProgress(state));
        RequestHandler requests = new RequestHandler(state, stops, delays, decider, exit);
        Phases phases = new Phases(state, starter, stops, delays, decider, exit);
        PeerCommandHandler commands = new PeerCommandHandler(state, decider, exit, peers, hosted, requests);
        return new Supervisor(state, phases, decider, starter, requests, commands, stops);
    }

    /** Runs the plan to its end. All processes have ended when it returns. */
    Verdict run() throws InterruptedException {
        begin();
        while (!isDone()) {
            state.clock().next(nextDeadline()).ifPresent(this::handle);
            goOn();
        }
        return end();
    }

    void begin() {
        state.conditions().start();
        phases.advance(this::handleReady);
    }

    /** Handles all events that are there, and does what is due. */
    void goOn() {
        handleReady();
        phases.goOn(this::handleReady);
    }

    /** Whether the native supervisor was killed. */
    boolean isLost() {
        return stops.isLost();
    }

    boolean isDone() {
        return phases.isDone();
    }

    Verdict end() {
        state.conditions().close();
        return phases.verdict();
    }

    /** When to go on if no event comes. */
    OptionalLong nextDeadline() {
        return phases.nextCheck();
    }

    private void handleReady() {
        Events events = state.clock();
        for (Optional<Event> next = events.ready(); next.isPresent(); next = events.ready()) {
            handle(next.get());
        }
    }

    private void handle(Event event) {
        if (event instanceof Event.Ended ended) {
            decider.onEnded(ended);
        } else if (event instanceof Event.SignalReceived signal) {
            signal.taken().run();
            requests.handleSignal(signal);
        } else if (event instanceof Event.ConditionMet met) {
            decider.onMet(met.condition(), met.nanoTime());
            starter.onMet(met.nanoTime());
        } else if (event instanceof Event.OfPeer told) {
            commands.handle(told.heard(), told.nanoTime());
        } else if (event instanceof Event.Asked asked) {
            requests.answer(asked);
        } else if (event instanceof Event.FaultsSeen look) {
            decider.onCardFaults(look.seen());
        } else if (event instanceof Event.Broken broken) {
            // Treated as an exception of the event loop itself.
            throw new IllegalStateException("thread " + broken.thread() + ": " + broken.thrown(), broken.thrown());
        } else {
            handleOfSupervisor(((Event.OfSupervisor) event).event());
        }
    }

    private void handleOfSupervisor(SupervisorEvent event) {
        stops.handle(event);
        if (event instanceof SupervisorEvent.Lost) {
            decider.onKilled();
        }
    }
}
