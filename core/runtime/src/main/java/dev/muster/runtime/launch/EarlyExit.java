package dev.muster.runtime.launch;

import dev.muster.runtime.errors.ExitCode;
import dev.muster.runtime.errors.MusterException;
import dev.muster.runtime.errors.NoThread;
import dev.muster.runtime.link.JobEnd;
import dev.muster.runtime.link.LinkEvent;
import dev.muster.runtime.process.Signals;
import dev.muster.runtime.process.Signals.ReceivedSignal;
import dev.muster.runtime.report.Cause;
import dev.muster.runtime.report.JobReport;
import dev.muster.runtime.report.Verdict;
import dev.muster.runtime.supervise.PeerLink;
import dev.muster.runtime.text.Durations;
import dev.muster.spi.LauncherNodes;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Ends this node's part of a job while no process runs: before the first attempt, or between two attempts. */
record EarlyExit(LaunchContext context, LaunchRequest request, JobLink link, RunReporter reporter) {

    @Inject
    EarlyExit {}

    /** Ends because a signal or another launcher stops this launcher while no process runs. */
    int exitOnStop() throws InterruptedException {
        return exitOnStop("nothing was started");
    }

    /** The same, when the launcher refused the job after the signal. The last line says why, too. */
    int exitOnStop(Throwable why) throws InterruptedException {
        return exitOnStop(messageOf(why));
    }

    private int exitOnStop(String how) throws InterruptedException {
        Optional<ReceivedSignal> signal = context.signals().stopRequest();
        if (signal.isEmpty()) {
            return exitOnPeerEnd(link.awaitDecision());
        }
        int code = signal.get().exitCode();
        String reason = "stopped by " + signal.get().title() + (reporter.last().isPresent() ? "" : "; " + how);
        // If only this node's supervisor was killed, the job goes on: the others wait for a replacement.
        boolean isAlone = signal.get().name().equals(Signals.KILL);
        Optional<LinkEvent.Decided> decided = isAlone
                ? Optional.empty()
                : link.end(jobEnd(signal.get(), code, reason), now(), true, context.console()::say);
        if (decided.filter(this::isOfPeer).isPresent() && decided.get().end().kind() != JobEnd.Kind.STOPPED) {
            return exitOnPeerEnd(decided.get());
        }
        if (reporter.last().isPresent()) {
            return exitBetweenRuns(Cause.of(signal.get()), report(decided));
        }
        return exitAtOnce(code, "exit " + code + ": " + reason);
    }

    private int exitAtOnce(int code, String line) {
        context.console().say(line);
        context.terminationLog().write(List.of(line));
        return leave(code);
    }

    private JobEnd jobEnd(ReceivedSignal signal, int code, String reason) {
        JobEnd end = JobEnd.of(JobEnd.Kind.STOPPED, link.own().orElse(""), link.host(), code, reason);
        return signal.isTimeLimit() ? end : end.bySignal(signal.number());
    }

    /** @throws MusterException the refusal, unless the job ended on another node before */
    int exitOnRefusal(Throwable why, ExitCode code) throws InterruptedException {
        if (link.isUsed()) {
            Optional<LinkEvent.Decided> decided =
                    reportRefusal(context.console().masked(messageOf(why)), code);
            if (decided.filter(this::isOfPeer).isPresent()) {
                context.console().say(messageOf(why));
                return exitOnPeerEnd(decided.get());
            }
            link.leave(request.codes().of(code.code()));
        }
        if (reporter.last().isPresent()) {
            Cause cause = new Cause.Refused(code.code(), messageOf(why));
            reporter.record(verdictBetweenRuns(cause, report(Optional.empty())), Map.of());
            throw new MusterException(code, messageOf(why) + "; " + betweenRunsText(), why);
        }
        if (why instanceof Error error) {
            throw error;
        }
        throw (RuntimeException) why;
    }

    private Optional<LinkEvent.Decided> reportRefusal(String reason, ExitCode code) throws InterruptedException {
        // With an exit delay the leader does not wait for the members: they delay too, and all would exit together.
        boolean isLast = request.resolved().platform().info().exitDelay().isEmpty();
        JobEnd end = JobEnd.of(JobEnd.Kind.REFUSED, link.own().orElse(""), link.host(), code.code(), reason);
        return link.end(end, now(), isLast, staying -> {
            context.console().say(reason);
            context.console().say(staying);
        });
    }

    private static String messageOf(Throwable why) {
        if (NoThread.isIn(why)) {
            return NoThread.WORDS;
        }
        return String.valueOf(why instanceof MusterException ? why.getMessage() : why);
    }

    private boolean isOfPeer(LinkEvent.Decided decided) {
        return !link.own().equals(Optional.of(decided.end().launcher()));
    }

    /** Ends because of another launcher: no process runs here, and none will be started. */
    private int exitOnPeerEnd(LinkEvent.Decided decided) {
        Cause cause = new Cause.Elsewhere(decided.end());
        int code = reporter.last().isPresent()
                ? exitBetweenRuns(cause, report(Optional.of(decided)))
                : leave(reporter.report(verdictWithoutRun(decided), Map.of()));
        delayExit(decided.end());
        return code;
    }

    Verdict verdictWithoutRun(LinkEvent.Decided decided) {
        return new Verdict(
                nameForFiles(),
                new Cause.Elsewhere(decided.end()),
                List.of(),
                Duration.ZERO,
                Duration.ZERO,
                report(Optional.of(decided)));
    }

    /** Delays the exit where the platform wants pods to fail one by one. A signal that asks to stop ends the delay. */
    void delayExit(JobEnd end) {
        Optional<Duration> time = request.resolved().platform().info().exitDelay();
        if (time.isEmpty() || end.kind() == JobEnd.Kind.STOPPED) {
            return;
        }
        context.console().say("staying for " + Durations.format(time.get()) + PeerLink.WHY_DELAYED);
        // A stop signal that came while the ranks ended counts here, too: it ends the delay.
        context.signals().removeListener();
        CompletableFuture<Boolean> told = new CompletableFuture<>();
        context.signals().listen(signal -> {
            if (signal.isStopRequest()) {
                context.signals().confirmStop();
                told.complete(true);
            }
        });
        told.completeOnTimeout(false, time.get().toNanos(), TimeUnit.NANOSECONDS)
                .join();
    }

    /** The launcher's name, where launchers are named by role: their result files have these names, too. */
    private Optional<String> nameForFiles() {
        boolean isOfNode = request.resolved().node().index().stream()
                .mapToObj(LauncherNodes::ofNode)
                .anyMatch(name -> link.own().equals(Optional.of(name)));
        return isOfNode ? Optional.empty() : link.own();
    }

    private int exitBetweenRuns(Cause cause, JobReport job) {
        return leave(reporter.report(verdictBetweenRuns(cause, job), Map.of()));
    }

    private Verdict verdictBetweenRuns(Cause cause, JobReport job) {
        Verdict verdict = reporter.last().orElseThrow().verdict();
        return verdict.endedBetweenRuns(cause, reporter.sinceLast(), job).remarked(betweenRunsText());
    }

    private String betweenRunsText() {
        String code = reporter.last()
                .map(run -> " with " + request.codes().of(run.verdict().cause()))
                .orElse("");
        int number = reporter.lastNumber();
        return "run " + number + " had ended" + code + ", run " + (number + 1) + " had not begun";
    }

    private int leave(int code) {
        link.leave(code);
        return code;
    }

    private JobReport report(Optional<LinkEvent.Decided> decided) {
        return link.isUsed()
                ? new JobReport(link.own(), decided.map(LinkEvent.Decided::end), link.report(), now())
                : JobReport.NONE;
    }

    private long now() {
        return context.nanoClock().getAsLong();
    }
}
