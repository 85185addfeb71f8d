package dev.muster.runtime.supervise;

import com.google.inject.Guice;
import dev.muster.runtime.conditions.ConditionWatch;
import dev.muster.runtime.report.Verdict;
import dev.muster.spi.LaunchPlan;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Carries out a plan. One thread, the caller's, owns all state; it takes one {@link Event} after another and moves through
 * the phases of a job. The first failure in time is the cause; what the supervisor itself ended is no failure.
 */
final class Supervisor {

    private final Events events;
    private final ConditionWatch conditions;
    private final EventDispatcher dispatcher;
    private final Phases phases;
    private final Parting parting;
    private final Roster roster;
    private final Ending ending;

    @Inject
    Supervisor(
            Events events,
            ConditionWatch conditions,
            EventDispatcher dispatcher,
            Phases phases,
            Parting parting,
            Roster roster,
            Ending ending) {
        this.events = events;
        this.conditions = conditions;
        this.dispatcher = dispatcher;
        this.phases = phases;
        this.parting = parting;
        this.roster = roster;
        this.ending = ending;
    }

    /** @param resets what is seen there comes as events */
    static Supervisor of(
            LaunchPlan plan, StopTimes times, Events events, Effects effects, Others others, Resets resets) {
        return Guice.createInjector(new SupervisorModule(plan, times, events, effects, others, resets))
                .getInstance(Supervisor.class);
    }

    /** Runs the plan to its end. Everything that was started has ended when it returns. */
    Verdict run() throws InterruptedException {
        begin();
        while (!isDone()) {
            events.next(nextDeadline()).ifPresent(dispatcher::handle);
            goOn();
        }
        return end();
    }

    void begin() {
        conditions.start();
        phases.advance(this::handleReady);
    }

    /** Does what follows from all that has happened, and what is due. */
    void goOn() {
        handleReady();
        phases.goOn(this::handleReady);
    }

    /** Whether the supervisor of processes was killed meanwhile. */
    boolean isLost() {
        return phases.isLost();
    }

    boolean isDone() {
        return phases.areDone();
    }

    Verdict end() {
        conditions.close();
        long now = events.now();
        return new Verdict(
                roster.planName(),
                parting.settled(),
                roster.reports(now),
                roster.duration(),
                Duration.ofNanos(now - ending.since()),
                parting.report(now));
    }

    /** All that has happened meanwhile. */
    private void handleReady() {
        for (Optional<Event> next = events.ready(); next.isPresent(); next = events.ready()) {
            dispatcher.handle(next.get());
        }
    }

    /** When to go on even if nothing happens. */
    OptionalLong nextDeadline() {
        return phases.nextLook();
    }
}
