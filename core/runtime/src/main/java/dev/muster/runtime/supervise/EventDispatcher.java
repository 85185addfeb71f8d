package dev.muster.runtime.supervise;

import jakarta.inject.Inject;

/** Hands what has happened to whom it concerns. Only the event loop touches it. */
final class EventDispatcher {

    private final Decisions decisions;
    private final Starter starter;
    private final Interruptions interruptions;
    private final Orders orders;
    private final Requests requests;
    private final Stops stops;
    private final HostedRankEnds hosted;

    @Inject
    EventDispatcher(
            Decisions decisions,
            Starter starter,
            Interruptions interruptions,
            Orders orders,
            Requests requests,
            Stops stops,
            HostedRankEnds hosted) {
        this.decisions = decisions;
        this.starter = starter;
        this.interruptions = interruptions;
        this.orders = orders;
        this.requests = requests;
        this.stops = stops;
        this.hosted = hosted;
    }

    void handle(Event event) {
        if (event instanceof Event.Ended ended) {
            decisions.ended(ended);
        } else if (event instanceof Event.SignalReceived signal) {
            signal.taken().run();
            interruptions.signalled(signal);
        } else if (event instanceof Event.ConditionMet met) {
            decisions.met(met.condition(), met.nanoTime());
            starter.met(met.condition(), met.nanoTime());
        } else if (event instanceof Event.Told told) {
            orders.heard(told.heard(), told.nanoTime());
        } else if (event instanceof Event.Asked asked) {
            requests.answer(asked);
        } else if (event instanceof Event.FaultsSeen look) {
            decisions.seen(look.seen());
        } else if (event instanceof Event.OfSupervisor known) {
            handleOfSupervisor(known);
        } else if (event instanceof Event.Broken broken) {
            // As if it had happened here.
            throw new IllegalStateException("thread " + broken.thread() + ": " + broken.thrown(), broken.thrown());
        }
    }

    private void handleOfSupervisor(Event.OfSupervisor event) {
        stops.heard(event);
        if (event instanceof Event.HostedRanksEnded ended) {
            hosted.ended(ended.id());
        } else if (event instanceof Event.Lost) {
            decisions.killed();
        }
    }
}
