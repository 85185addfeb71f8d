package dev.muster.runtime.supervise;

import com.google.inject.AbstractModule;
import com.google.inject.Provider;
import com.google.inject.Singleton;
import dev.muster.runtime.conditions.ConditionWatch;
import dev.muster.runtime.output.WaitReporter;
import dev.muster.spi.LaunchPlan;
import dev.muster.spi.Outcome;
import java.util.List;

/** What the event loop of an attempt is made of: one of each. */
final class SupervisorModule extends AbstractModule {

    private static final List<Class<?>> PARTS = List.of(
            Announcements.class,
            CardFaults.class,
            Checkpoint.class,
            Company.class,
            Decisions.class,
            Ending.class,
            EventDispatcher.class,
            FirstFailureResolver.class,
            HostedRankEnds.class,
            Interruptions.class,
            Judge.class,
            Orders.class,
            Parting.class,
            Phases.class,
            Phases.StepSequences.class,
            Progress.class,
            Requests.class,
            Roster.class,
            Serving.class,
            Starter.class,
            StopPhases.class,
            Stops.class,
            Supervisor.class);

    private final LaunchPlan plan;
    private final StopTimes times;
    private final Events events;
    private final Effects effects;
    private final Others others;
    private final Resets resets;

    SupervisorModule(LaunchPlan plan, StopTimes times, Events events, Effects effects, Others others, Resets resets) {
        this.plan = plan;
        this.times = times;
        this.events = events;
        this.effects = effects;
        this.others = others;
        this.resets = resets;
    }

    @Override
    protected void configure() {
        binder().requireExplicitBindings();
        bind(LaunchPlan.class).toInstance(plan);
        bind(Outcome.class).toInstance(plan.outcome());
        bind(StopTimes.class).toInstance(times);
        bind(Events.class).toInstance(events);
        bind(Effects.class).toInstance(effects);
        bind(WaitReporter.class).toInstance(effects.waits());
        bind(Others.class).toInstance(others);
        bind(Resets.class).toInstance(resets);
        PARTS.forEach(part -> bind(part).in(Singleton.class));
        Provider<Roster> roster = getProvider(Roster.class);
        bind(ConditionWatch.class)
                .toProvider(() -> roster.get().watch(plan.outcome(), events))
                .in(Singleton.class);
    }
}
