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
        JobAttempt runs,
        RunReporter reporter,
        EarlyExit end)
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
            return launch();
        } catch (RuntimeException | Error refused) {
            return refused(refused);
        }
    }

    @Override
    public void close() {
        link.close();
        logs.close();
    }

    /** After a stop request, a temporary refusal counts as the stop: nobody shall try again. */
    private int refused(Throwable why) throws InterruptedException {
        ExitCode code = ExitCode.of(why);
        context.signals().removeListener();
        boolean isStop =
                code == ExitCode.TEMPORARY && context.signals().stopRequest().isPresent();
        return isStop ? end.stopped(why) : end.refused(why, code);
    }

    private int launch() throws InterruptedException {
        while (true) {
            Instant begin = context.clock().instant();
            Optional<JobAttempt.Ended> run = carryOut();
            if (run.isEmpty()) {
                run = endedAfterAll(begin);
            }
            if (run.isEmpty()) {
                return end.stopped();
            }
            reporter.ended(link.count(), run.get());
            if (!(restarts.follow(run.get().verdict(), link.count()) && link.hasBegun())) {
                return over(run.get());
            }
            if (!nextIsDue()) {
                return end.stopped();
            }
        }
    }

    private Optional<JobAttempt.Ended> carryOut() throws InterruptedException {
        try {
            return runs.carryOut(link.count());
        } catch (StoppedException beforeTheStart) {
            return Optional.empty();
        }
    }

    /** The end of an attempt that began on all nodes and ended on another one, before this node started a process. */
    private Optional<JobAttempt.Ended> endedAfterAll(Instant begin) throws InterruptedException {
        boolean isOurs = context.signals().stopRequest().isPresent();
        if (isOurs || !link.isUsed() || !link.hasBegun() || !link.count().mayRestart()) {
            return Optional.empty();
        }
        LinkEvent.Decided decided = link.heed();
        return Optional.of(new JobAttempt.Ended(begin, end.nothingRan(decided), Map.of()));
    }

    private int over(JobAttempt.Ended run) throws InterruptedException {
        int code = reporter.tell(run.verdict().remarked(Restarts.remark(link.count())), run.logs());
        link.left(code);
        if (link.count().mayRestart() && run.verdict().cause() instanceof Cause.Elsewhere elsewhere) {
            end.stay(elsewhere.end());
        }
        return code;
    }

    /** @return false when the launcher was told to stop meanwhile, or while the last attempt ended */
    private boolean nextIsDue() {
        context.signals().removeListener();
        RunCount next = link.count().next();
        link.again(next);
        if (context.signals().isStopRequested()) {
            return false;
        }
        reporter.last()
                .ifPresent(run -> VerdictText.linesOfRun(next.run() - 1, run.verdict(), run.logs())
                        .forEach(context.console()::say));
        context.console()
                .say("run " + next.run() + " begins in " + Durations.format(next.delay()) + " (restart "
                        + next.restarts() + " of at most " + next.limit() + ")");
        return goOnAfter(next);
    }

    /** Waits for the delay; false when the launcher was told to stop. */
    private boolean goOnAfter(RunCount next) {
        Duration delay = next.delay();
        for (long left = delay.toNanos();
                left > 0;
                left = delay.minus(reporter.sinceTheLast()).toNanos()) {
            if (!context.signals().sleep(Duration.ofNanos(left))) {
                return false;
            }
        }
        return !context.signals().isStopRequested();
    }
}
