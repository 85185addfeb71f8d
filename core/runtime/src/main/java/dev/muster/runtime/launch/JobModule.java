package dev.muster.runtime.launch;

import com.google.inject.AbstractModule;
import com.google.inject.Provides;
import com.google.inject.Singleton;
import dev.muster.runtime.link.Link;
import dev.muster.runtime.supervise.LogDirectoryClaim;

/** What the launch of a job is made of: one of each. */
final class JobModule extends AbstractModule {

    private final LaunchContext context;
    private final LaunchRequest request;

    JobModule(LaunchContext context, LaunchRequest request) {
        this.context = context;
        this.request = request;
    }

    @Override
    protected void configure() {
        binder().requireExplicitBindings();
        bind(LaunchRequest.class).toInstance(request);
        bind(EarlyExit.class).in(Singleton.class);
        bind(JobAttempt.class).in(Singleton.class);
        bind(JobAttempts.class).in(Singleton.class);
        bind(LinkSetup.class).in(Singleton.class);
        bind(LogDirectoryClaim.class).in(Singleton.class);
        bind(MetricsFile.class).in(Singleton.class);
        bind(Restarts.class).in(Singleton.class);
        bind(RunReporter.class).in(Singleton.class);
        bind(TimeLimit.class).in(Singleton.class);
    }

    @Provides
    @Singleton
    JobLink link() {
        return new JobLink(
                settings -> Link.open(settings, context.nanoClock(), context.console()::say, context.console()::warn),
                context.signals(),
                Restarts.first(request.site().settings()));
    }
}
