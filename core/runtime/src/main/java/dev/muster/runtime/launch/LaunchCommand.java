package dev.muster.runtime.launch;

import com.google.inject.Injector;
import dev.muster.runtime.cli.Invocation;
import dev.muster.runtime.config.OptionTable;
import dev.muster.runtime.errors.ExitCode;
import dev.muster.runtime.errors.MusterException;
import dev.muster.runtime.platform.Site;
import dev.muster.runtime.process.CallerWatch;
import dev.muster.runtime.process.ProcessSupervisor;
import dev.muster.runtime.report.ExitCodes;
import jakarta.inject.Inject;
import java.time.Instant;

/**
 * {@code muster --engine E -- COMMAND}: runs this node's part of a job.
 *
 * @param injector of the program
 */
public record LaunchCommand(LaunchContext context, Injector injector) {

    @Inject
    public LaunchCommand {}

    /**
     * Runs the job.
     *
     * @param codes which exit code a cause gives
     * @return the launcher's exit code
     * @throws MusterException when nothing could be started
     */
    public int run(Invocation invocation, ExitCodes codes) throws InterruptedException {
        Instant startedAt = context.clock().instant();
        watchCaller(invocation);
        Site site = context.site(invocation);
        Injector job = injector.createChildInjector(
                new JobModule(context, new LaunchRequest(invocation, site, codes, startedAt)));
        // Answers from now on, whatever the job waits for.
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

    private void watchCaller(Invocation invocation) {
        ProcessSupervisor supervisor = injector.getInstance(ProcessSupervisor.class);
        if (supervisor.caller().isBySsh()) {
            new CallerWatch(supervisor, invocation.settings().duration(OptionTable.LOST_AFTER), context.console()::say)
                    .start();
        }
    }
}
