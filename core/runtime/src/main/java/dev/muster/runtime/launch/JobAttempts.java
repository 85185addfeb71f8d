package dev.muster.runtime.launch;

import dev.muster.runtime.errors.ExitCode;
import dev.muster.runtime.errors.StoppedException;
import dev.muster.runtime.link.LinkEvent;
import dev.muster.runtime.report.Cause;
import dev.muster.runtime.report.VerdictText;
import dev.muster.runtime.runs.RunCount;
import dev.muster.runtime.supervise.LogDirectoryClaim;
import dev.muster.runtime.text.Durations;
import jakarta.inject.Inject;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * One launch of this node's part of a job, with all attempts: from the resolved job to the exit code.
 *
 * @param link not open yet
 * @param logs the directory for logs; not claimed yet
 */
record JobAttempts(
        LaunchContext context,
        JobLink link,
        LogDirectoryClaim logs,
        Restarts restarts,
        JobAttempt attempt,
        RunReporter reporter,
        EarlyExit earlyExit)
        implements AutoCloseable {

    @Inject
    JobAttempts {}

    /**
     * Runs the job.
     *
     * @return the launcher's exit code
     * @throws dev.muster.runtime.errors.MusterException when nothing could be started and the job ends with this refusal
     */
    int run() throws InterruptedException {
        try {
            return runAttempts();
        } catch (RuntimeException | Error refused) {
            return exitOnRefusal(refused);
        }
    }

    @Override
    public void close() {
        link.close();
        logs.close();
    }

    /** After a stop request, a temporary refusal counts as the stop: nobody shall try again. */
    private int exitOnRefusal(Throwable why) throws InterruptedException {
        ExitCode code = ExitCode.of(why);
        context.signals().removeListener();
        boolean isStop =
                code == ExitCode.TEMPORARY && context.signals().stopRequest().isPresent();
        return isStop ? earlyExit.exitOnStop(why) : earlyExit.exitOnRefusal(why, code);
    }

    private int runAttempts() throws InterruptedException {
        while (true) {
            Instant begin = context.clock().instant();
            Optional<JobAttempt.Ended> run = carryOut();
            if (run.isEmpty()) {
                run = endedElsewhere(begin);
            }
            if (run.isEmpty()) {
                return earlyExit.exitOnStop();
            }
            reporter.addAttempt(link.count(), run.get());
            if (!(restarts.hasNext(run.get().verdict(), link.count()) && link.hasBegun())) {
                return finish(run.get());
            }
            if (!awaitNext()) {
                return earlyExit.exitOnStop();
            }
        }
    }

    private Optional<JobAttempt.Ended> carryOut() throws InterruptedException {
        try {
            return attempt.carryOut(link.count());
        } catch (StoppedException beforeTheStart) {
            return Optional.empty();
        }
    }

    /** The end of an attempt that began on all nodes and ended on another one, before this node started a process. */
    private Optional<JobAttempt.Ended> endedElsewhere(Instant begin) throws InterruptedException {
        boolean isOurs = context.signals().stopRequest().isPresent();
        if (isOurs || !link.isUsed() || !link.hasBegun() || !link.count().mayRestart()) {
            return Optional.empty();
        }
        LinkEvent.Decided decided = link.awaitDecision();
        return Optional.of(new JobAttempt.Ended(begin, earlyExit.verdictWithoutRun(decided), Map.of()));
    }

    private int finish(JobAttempt.Ended run) throws InterruptedException {
        int code = reporter.report(run.verdict().remarked(Restarts.remark(link.count())), run.logs());
        link.leave(code);
        if (link.count().mayRestart() && run.verdict().cause() instanceof Cause.Elsewhere elsewhere) {
            earlyExit.delayExit(elsewhere.end());
        }
        return code;
    }

    /** @return false when the launcher was told to stop meanwhile, or while the last attempt ended */
    private boolean awaitNext() {
        context.signals().removeListener();
        RunCount next = link.count().next();
        link.reopenFor(next);
        if (context.signals().isStopRequested()) {
            return false;
        }
        reporter.last()
                .ifPresent(run -> VerdictText.linesOfRun(next.run() - 1, run.verdict(), run.logs())
                        .forEach(context.console()::say));
        context.console()
                .say("run " + next.run() + " begins in " + Durations.format(next.delay()) + " (restart "
                        + next.restarts() + " of at most " + next.limit() + ")");
        return awaitDelay(next);
    }

    /** Waits for the delay; false when the launcher was told to stop. */
    private boolean awaitDelay(RunCount next) {
        Duration delay = next.delay();
        for (long left = delay.toNanos();
                left > 0;
                left = delay.minus(reporter.sinceLast()).toNanos()) {
            if (!context.signals().sleep(Duration.ofNanos(left))) {
                return false;
            }
        }
        return !context.signals().isStopRequested();
    }
}
