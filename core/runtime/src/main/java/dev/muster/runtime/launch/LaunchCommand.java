package dev.muster.runtime.launch;

import com.google.inject.Binder;
import com.google.inject.Guice;
import com.google.inject.Injector;
import com.google.inject.Module;
import com.google.inject.Scopes;
import com.google.inject.Stage;
import dev.muster.runtime.cli.Invocation;
import dev.muster.runtime.config.OptionTable;
import dev.muster.runtime.errors.ExitCode;
import dev.muster.runtime.errors.MusterException;
import dev.muster.runtime.link.Link;
import dev.muster.runtime.platform.ResolvedJob;
import dev.muster.runtime.process.CallerWatch;
import dev.muster.runtime.process.ProcessSupervisor;
import dev.muster.runtime.report.ExitCodes;
import dev.muster.runtime.supervise.LogDirectoryClaim;
import java.time.Instant;
import java.util.function.Supplier;

/**
 * {@code muster --engine E -- COMMAND}: runs this node's part of a job.
 *
 * @param supervisor gives the client of the native supervisor
 * @param program the Guice module with the objects of the whole program
 */
public record LaunchCommand(LaunchContext context, Supplier<ProcessSupervisor> supervisor, Module program) {

    /**
     * Runs the job.
     *
     * @param codes maps a cause to an exit code
     * @return the launcher's exit code
     * @throws MusterException when nothing could be started
     */
    public int run(Invocation invocation, ExitCodes codes) throws InterruptedException {
        Instant startedAt = context.clock().instant();
        watchCaller(invocation);
        ResolvedJob resolved = context.resolve(invocation);
        supervisor.get().lock().setJob(resolved.jobId());
        LaunchRequest request = new LaunchRequest(invocation, resolved, codes, startedAt);
        Injector job = Guice.createInjector(Stage.DEVELOPMENT, program, binder -> bind(binder, request));
        // Questions are answered even while the job waits for inputs.
        job.getInstance(QuestionHandlers.class).begin();
        MetricsFile metrics = job.getInstance(MetricsFile.class);
        try (JobAttempts attempts = job.getInstance(JobAttempts.class)) {
            job.getInstance(TimeLimit.class).begin();
            int code = attempts.run();
            metrics.ended(code);
            return code;
        } catch (RuntimeException | Error refused) {
            metrics.ended(codes.of(ExitCode.of(refused).code()));
            throw refused;
        }
    }

    /** The objects of one launch, one of each. */
    private void bind(Binder binder, LaunchRequest request) {
        binder.bind(LaunchRequest.class).toProvider(() -> request);
        binder.bind(JobLink.class).toProvider(() -> link(request)).in(Scopes.SINGLETON);
        binder.bind(EarlyExit.class).in(Scopes.SINGLETON);
        binder.bind(JobAttempt.class).in(Scopes.SINGLETON);
        binder.bind(JobAttempts.class).in(Scopes.SINGLETON);
        binder.bind(LinkSetup.class).in(Scopes.SINGLETON);
        binder.bind(LogDirectoryClaim.class).in(Scopes.SINGLETON);
        binder.bind(MetricsFile.class).in(Scopes.SINGLETON);
        binder.bind(QuestionHandlers.class).in(Scopes.SINGLETON);
        binder.bind(Restarts.class).in(Scopes.SINGLETON);
        binder.bind(RunReporter.class).in(Scopes.SINGLETON);
        binder.bind(TimeLimit.class).in(Scopes.SINGLETON);
    }

    private JobLink link(LaunchRequest request) {
        return new JobLink(
                settings -> Link.open(settings, context.nanoClock(), context.console()::say, context.console()::warn),
                context.signals(),
                Restarts.first(request.resolved().settings()));
    }

    private void watchCaller(Invocation invocation) {
        ProcessSupervisor found = supervisor.get();
        if (found.caller().isBySsh()) {
            new CallerWatch(found, invocation.settings().duration(OptionTable.LOST_AFTER), context.console()::say)
                    .start();
        }
    }
}
