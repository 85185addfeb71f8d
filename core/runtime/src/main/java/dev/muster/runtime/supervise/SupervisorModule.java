package dev.muster.runtime.supervise;

import com.google.inject.AbstractModule;
import com.google.inject.Scopes;
import java.util.List;

/** What the event loop of an attempt is made of: one of each. */
final class SupervisorModule extends AbstractModule {

    private static final List<Class<?>> PARTS = List.of(
            AttemptReporter.class,
            CardFaults.class,
            ExitBarrier.class,
            FirstFailureResolver.class,
            HostedRankTracker.class,
            OutcomeDecider.class,
            OutcomeEvaluator.class,
            PeerCommandHandler.class,
            PeerNotifier.class,
            Phases.class,
            RequestHandler.class,
            StartProgress.class,
            StartScheduler.class,
            StopCoordinator.class,
            StopDelays.class,
            Supervisor.class);

    private final AttemptState state;

    SupervisorModule(AttemptState state) {
        this.state = state;
    }

    @Override
    protected void configure() {
        binder().requireExplicitBindings();
        bind(AttemptState.class).toProvider(() -> state);
        PARTS.forEach(part -> bind(part).in(Scopes.SINGLETON));
    }
}
