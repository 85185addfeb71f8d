package dev.muster.runtime.launch;

import dev.muster.runtime.cli.Invocation;
import dev.muster.runtime.config.OptionTable;
import dev.muster.runtime.errors.ExitCode;
import dev.muster.runtime.errors.MusterException;
import dev.muster.runtime.errors.StoppedException;
import dev.muster.runtime.inputs.Renewals;
import dev.muster.runtime.link.Heard;
import dev.muster.runtime.link.JobEnd;
import dev.muster.runtime.output.Waiting;
import dev.muster.runtime.output.Waits;
import dev.muster.runtime.platform.Site;
import dev.muster.runtime.process.Signals.ReceivedSignal;
import dev.muster.runtime.report.Cause;
import dev.muster.runtime.report.ExitCodes;
import dev.muster.runtime.report.JobReport;
import dev.muster.runtime.report.LogReport;
import dev.muster.runtime.report.Verdict;
import dev.muster.runtime.report.VerdictText;
import dev.muster.runtime.runs.RunCount;
import dev.muster.runtime.supervise.FileNames;
import dev.muster.runtime.supervise.Interruption;
import dev.muster.runtime.supervise.PlanRun;
import dev.muster.spi.Launchers;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** One launch of this node's part of a job, with all its runs: what happens between knowing where we are and the exit code. */
final class NodeLaunch {

    /** Between two looks at the clock, while the next run is waited for. */
    private static final Duration LOOK = Duration.ofMillis(500);

    private final Surroundings surroundings;
    private final Site site;
    private final ExitCodes codes;
    private final JobLink link;
    private final Meeting meeting;
    private final Restarts restarts;
    private final OneRun runs;
    private final Telling telling;
    /** The run that has ended last, and when. */
    private Optional<OneRun.Ended> last = Optional.empty();

    private long lastEndedAt;

    /**
     * @param link not open yet
     * @param names of the files that it writes; none is claimed yet
     */
    NodeLaunch(
            Surroundings surroundings,
            PlanRun planRun,
            Invocation invocation,
            Site site,
            ExitCodes codes,
            Instant startedAt,
            JobLink link,
            FileNames names) {
        this.surroundings = surroundings;
        this.site = site;
        this.codes = codes;
        this.link = link;
        this.restarts = new Restarts(site.settings());
        this.meeting = new Meeting(
                surroundings,
                site,
                invocation.engine().descriptor().id(),
                invocation.settings().secrets(),
                link);
        Optional<Renewals> renewals = restarts.count().mayRestart() ? Optional.of(new Renewals()) : Optional.empty();
        this.runs = new OneRun(surroundings, planRun, invocation, site, startedAt, link, meeting, names, renewals);
        this.telling = new Telling(surroundings, invocation, site, codes, startedAt, names);
    }

    /**
     * Runs the job.
     *
     * @return the launcher's exit code
     * @throws MusterException when nothing could be started, and that is what the job ends with
     */
    int run() throws InterruptedException {
        try {
            return launch();
        } catch (StoppedException inAPlugin) {
            return stoppedWhileWaiting();
        } catch (MusterException refused) {
            return refused(refused, refused.exitCode());
        } catch (RuntimeException | Error broken) {
            return refused(broken, ExitCode.INTERNAL);
        }
    }

    private int launch() throws InterruptedException {
        while (true) {
            Instant begin = surroundings.clock().instant();
            Optional<OneRun.Ended> run = runs.carryOut(restarts.count());
            if (run.isEmpty()) {
                run = endedAfterAll(begin);
            }
            if (run.isEmpty()) {
                return stoppedWhileWaiting();
            }
            ended(run.get());
            if (!isFollowed(run.get().verdict())) {
                return over(run.get());
            }
            if (!nextIsDue()) {
                return stoppedWhileWaiting();
            }
        }
    }

    /** It had begun on all nodes when it ended on another one, and this one had nothing to end yet. */
    private Optional<OneRun.Ended> endedAfterAll(Instant begin) throws InterruptedException {
        boolean isOurs = surroundings.signals().stopRequest().isPresent();
        if (isOurs || !link.isUsed() || !link.hasBegun() || !restarts.count().mayRestart()) {
            return Optional.empty();
        }
        Heard.Decided decided = link.heed();
        return Optional.of(new OneRun.Ended(nameForFiles(), begin, nothingRan(decided), Map.of()));
    }

    private void ended(OneRun.Ended run) {
        telling.ended(link.count(), run);
        last = Optional.of(run);
        lastEndedAt = now();
    }

    private boolean isFollowed(Verdict verdict) throws InterruptedException {
        boolean isRepeated = restarts.isRepeated(verdict);
        boolean isMeant = restarts.follow(verdict, link.count()) || link.isLeftBehind();
        if (isMeant && isRepeated) {
            tellOthers(verdict);
        }
        return isMeant && !isRepeated && link.hasBegun();
    }

    /** They are about to start again, and only this launcher knows that it would be in vain. */
    private void tellOthers(Verdict verdict) throws InterruptedException {
        Optional<JobEnd> end = verdict.job().end();
        if (end.isPresent() && link.isUsed()) {
            link.again(restarts.count().next());
            link.end(end.get().remarked(restarts.remark(telling.runs())), now());
        }
    }

    private int over(OneRun.Ended run) {
        int code = tell(run.planName(), run.verdict().remarked(restarts.remark(telling.runs())), run.logs());
        if (restarts.count().mayRestart() && run.verdict().cause() instanceof Cause.Elsewhere elsewhere) {
            stay(elsewhere.end());
        }
        return code;
    }

    /** @return false when the launcher was told to stop meanwhile, or while the last run was ending */
    private boolean nextIsDue() {
        surroundings.signals().keepAgain();
        RunCount next = restarts.count().next();
        Duration delay = restarts.begin(next);
        link.again(next);
        if (surroundings.signals().areToStop()) {
            return false;
        }
        tellOfTheFailure();
        Restarts.announce(surroundings.console(), next, delay);
        return goOnAfter(delay, next);
    }

    private void tellOfTheFailure() {
        last.ifPresent(run -> VerdictText.linesOfRun(telling.runs(), run.verdict(), run.logs())
                .forEach(surroundings.console()::say));
    }

    /** Lets time pass; false when the launcher was told to stop. */
    private boolean goOnAfter(Duration delay, RunCount next) {
        Duration progress = site.settings().duration(OptionTable.PROGRESS);
        try (Waiting waiting = Waits.on(surroundings.console(), surroundings.nanoClock(), progress)
                .quietFor(progress)) {
            for (long left = delay.toNanos(); left > 0; left = delay.toNanos() - (now() - lastEndedAt)) {
                waiting.lasts(() -> "run " + next.run() + " of the job has not begun yet");
                if (!surroundings.signals().goOnAfter(Duration.ofNanos(Math.min(left, LOOK.toNanos())))) {
                    return false;
                }
            }
            return !surroundings.signals().areToStop();
        }
    }

    /** The launcher was told to stop before there was anything to stop: by a signal, or by another launcher. */
    private int stoppedWhileWaiting() throws InterruptedException {
        Optional<ReceivedSignal> signal = surroundings.signals().stopRequest();
        if (signal.isEmpty()) {
            return endedElsewhere(link.heed());
        }
        int code = ExitCode.ofSignal(signal.get().number());
        String reason = "stopped by SIG" + signal.get().name() + "; nothing was started";
        Optional<Heard.Decided> decided =
                OneRun.stopsAlone(site) ? Optional.empty() : link.end(stop(signal.get(), code, reason), now());
        if (decided.filter(this::isElsewhere).isPresent() && decided.get().end().kind() != JobEnd.Kind.STOPPED) {
            return endedElsewhere(decided.get());
        }
        if (last.isPresent()) {
            return endedBetweenRuns(
                    Interruption.by(signal.get().name(), signal.get().number()), report(decided));
        }
        String line = "exit " + code + ": " + reason;
        surroundings.console().say(line);
        surroundings.terminationLog().write(List.of(line));
        link.left(code);
        return code;
    }

    private JobEnd stop(ReceivedSignal signal, int code, String reason) {
        return new JobEnd(
                JobEnd.Kind.STOPPED,
                link.own().orElse(""),
                meeting.host(),
                code,
                OptionalInt.of(signal.number()),
                reason,
                Optional.empty(),
                OptionalInt.empty(),
                OptionalLong.empty(),
                Optional.empty());
    }

    /** @throws MusterException the refusal, unless the job had ended elsewhere before */
    private int refused(Throwable why, ExitCode code) throws InterruptedException {
        if (link.isUsed()) {
            Optional<Heard.Decided> decided = link.end(
                    JobEnd.of(
                            JobEnd.Kind.REFUSED,
                            link.own().orElse(""),
                            meeting.host(),
                            code.code(),
                            surroundings.console().masked(words(why))),
                    now());
            if (decided.filter(this::isElsewhere).isPresent()) {
                surroundings.console().say(surroundings.console().masked(words(why)));
                return endedElsewhere(decided.get());
            }
            link.left(codes.of(code.code()));
        }
        if (last.isPresent()) {
            Cause cause = new Cause.Refused(code.code(), words(why));
            telling.record(last.get().planName(), betweenRuns(cause, report(Optional.empty())), Map.of());
            throw new MusterException(code, words(why) + "; " + beforeTheRun(), why);
        }
        if (why instanceof Error error) {
            throw error;
        }
        throw (RuntimeException) why;
    }

    private static String words(Throwable why) {
        return String.valueOf(why instanceof MusterException ? why.getMessage() : why);
    }

    private boolean isElsewhere(Heard.Decided decided) {
        return !link.own().equals(Optional.of(decided.end().launcher()));
    }

    /** Nothing was started here, and nothing will be. */
    private int endedElsewhere(Heard.Decided decided) {
        Cause cause = new Cause.Elsewhere(decided.end(), OptionalInt.empty());
        int code = last.isPresent()
                ? endedBetweenRuns(cause, report(Optional.of(decided)))
                : tell(nameForFiles(), nothingRan(decided), Map.of());
        stay(decided.end());
        return code;
    }

    private Verdict nothingRan(Heard.Decided decided) {
        return new Verdict(
                Optional.empty(),
                new Cause.Elsewhere(decided.end(), OptionalInt.empty()),
                List.of(),
                Duration.ZERO,
                Duration.ZERO,
                report(Optional.of(decided)));
    }

    /** Where the platform wants pods to fail one by one. */
    private void stay(JobEnd end) {
        if (end.kind() != JobEnd.Kind.STOPPED) {
            site.link().staysFor().ifPresent(new Staying(surroundings.console(), surroundings.signals())::last);
        }
    }

    /** Where launchers are called by their roles, so are their results. */
    private Optional<String> nameForFiles() {
        boolean isOfNode = site.node().index().stream()
                .mapToObj(Launchers::ofNode)
                .anyMatch(name -> link.own().equals(Optional.of(name)));
        return isOfNode ? Optional.empty() : link.own();
    }

    private int endedBetweenRuns(Cause cause, JobReport job) {
        return tell(last.orElseThrow().planName(), betweenRuns(cause, job), Map.of());
    }

    private Verdict betweenRuns(Cause cause, JobReport job) {
        return last.orElseThrow()
                .verdict()
                .endedBetweenRuns(cause, Duration.ofNanos(now() - lastEndedAt), job)
                .remarked(beforeTheRun());
    }

    private String beforeTheRun() {
        return "run " + restarts.count().run() + " had not begun";
    }

    private JobReport report(Optional<Heard.Decided> decided) {
        return link.isUsed()
                ? new JobReport(
                        link.own(),
                        decided.map(Heard.Decided::end),
                        decided.map(Heard.Decided::sameTime).orElse(List.of()),
                        link.report(),
                        now())
                : JobReport.NONE;
    }

    private int tell(Optional<String> planName, Verdict verdict, Map<String, LogReport> logs) {
        int code = telling.tell(planName, verdict, logs);
        link.left(code);
        return code;
    }

    private long now() {
        return surroundings.nanoClock().getAsLong();
    }
}
