package dev.muster.runtime.launch;

import com.google.inject.AbstractModule;
import com.google.inject.Scopes;
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
        bind(LaunchRequest.class).toProvider(() -> request);
        bind(JobLink.class).toProvider(this::link).in(Scopes.SINGLETON);
        bind(EarlyExit.class).in(Scopes.SINGLETON);
        bind(JobAttempt.class).in(Scopes.SINGLETON);
        bind(JobAttempts.class).in(Scopes.SINGLETON);
        bind(LinkSetup.class).in(Scopes.SINGLETON);
        bind(LogDirectoryClaim.class).in(Scopes.SINGLETON);
        bind(MetricsFile.class).in(Scopes.SINGLETON);
        bind(QuestionHandlers.class).in(Scopes.SINGLETON);
        bind(Restarts.class).in(Scopes.SINGLETON);
        bind(RunReporter.class).in(Scopes.SINGLETON);
        bind(TimeLimit.class).in(Scopes.SINGLETON);
    }

    private JobLink link() {
        return new JobLink(
                settings -> Link.open(settings, context.nanoClock(), context.console()::say, context.console()::warn),
                context.signals(),
                Restarts.first(request.site().settings()));
    }
}
