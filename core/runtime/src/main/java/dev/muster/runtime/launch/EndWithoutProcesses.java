package dev.muster.runtime.launch;

import dev.muster.runtime.errors.ExitCode;
import dev.muster.runtime.errors.MusterException;
import dev.muster.runtime.errors.NoThread;
import dev.muster.runtime.link.Heard;
import dev.muster.runtime.link.JobEnd;
import dev.muster.runtime.link.Said;
import dev.muster.runtime.platform.Site;
import dev.muster.runtime.process.Signals;
import dev.muster.runtime.process.Signals.ReceivedSignal;
import dev.muster.runtime.process.Termination;
import dev.muster.runtime.report.Cause;
import dev.muster.runtime.report.ExitCodes;
import dev.muster.runtime.report.JobReport;
import dev.muster.runtime.report.Verdict;
import dev.muster.runtime.runs.RunCount;
import dev.muster.runtime.supervise.Interruption;
import dev.muster.runtime.text.Durations;
import dev.muster.spi.LauncherNodes;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Ends this node's part of a job while none of its processes runs: before the first run, or between two. */
final class EndWithoutProcesses {

    private final Surroundings surroundings;
    private final Site site;
    private final ExitCodes codes;
    private final JobLink link;
    private final Meeting meeting;
    private final Telling telling;
    private final LastWord lastWord;
    private Optional<OneRun.Ended> last = Optional.empty();
    private int runs;
    private long lastEndedAt;

    EndWithoutProcesses(
            Surroundings surroundings, LaunchRequest request, JobLink link, Meeting meeting, Telling telling) {
        this.surroundings = surroundings;
        this.site = request.site();
        this.codes = request.codes();
        this.link = link;
        this.meeting = meeting;
        this.telling = telling;
        this.lastWord = new LastWord(surroundings.console(), link);
    }

    /** From now on it would be the end after this run. */
    void after(OneRun.Ended run, int number) {
        runs = number;
        last = Optional.of(run);
        lastEndedAt = now();
    }

    /** Services that the last run had kept have been stopped, since there is no next one. */
    void servicesEnded(Map<String, Termination> ends) {
        last = last.map(run -> run.stopped(ends));
    }

    /** The launcher was told to stop before there was anything to stop: by a signal, or by another launcher. */
    int stopped() throws InterruptedException {
        return stopped(last.isPresent() ? beforeTheRun() : "nothing was started");
    }

    /** The same by a signal, when something else has just kept it from going on. */
    int stopped(Throwable why) throws InterruptedException {
        return stopped(words(why));
    }

    private int stopped(String how) throws InterruptedException {
        Optional<ReceivedSignal> signal = surroundings.signals().stopRequest();
        if (signal.isEmpty()) {
            return endedElsewhere(link.heed());
        }
        int code = ExitCode.ofSignal(signal.get().number());
        String reason = "stopped by SIG" + signal.get().name() + "; " + how;
        // A launcher that was killed does not stop the job: the others wait for another one in its place.
        boolean isAlone = OneRun.stopsAlone(site) || signal.get().name().equals(Signals.KILLED);
        Optional<Heard.Decided> decided =
                isAlone ? Optional.empty() : link.end(stop(signal.get(), code, reason), now(), true, this::tellWho);
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

    /** A leader that is lost hears nothing; another one in its place would, and stop the job. */
    private void tellWho() {
        String awaited = lastWord.awaited();
        if (!awaited.isEmpty()) {
            surroundings
                    .console()
                    .say("stopping; waiting up to "
                            + Durations.format(link.patience().forTheDecision()) + " in all for " + awaited);
        }
    }

    private JobEnd stop(ReceivedSignal signal, int code, String reason) {
        return JobEnd.of(JobEnd.Kind.STOPPED, link.own().orElse(""), meeting.host(), code, reason)
                .bySignal(signal.number());
    }

    /** A run has ended here so that no other one follows: whoever may not know, because the leader was lost, is told. */
    void tellThoseLeftBehind(RunCount next) throws InterruptedException {
        Optional<Said.Over> untold = link.untold();
        surroundings.signals().keepAgain();
        boolean isStopped = surroundings.signals().stopRequest().isPresent();
        if (!isStopped && untold.isPresent() && untold.get().end().kind() != JobEnd.Kind.LOST) {
            lastWord.ofLostLeader(untold.get(), next);
        }
    }

    /** @throws MusterException the refusal, unless the job had ended elsewhere before */
    int refused(Throwable why, ExitCode code) throws InterruptedException {
        if (link.isUsed()) {
            String reason = surroundings.console().masked(words(why));
            // Those who stay would keep it, and all would end together.
            boolean isLast = site.link().staysFor().isEmpty();
            Optional<Heard.Decided> decided = lastWord.refused(
                    JobEnd.of(JobEnd.Kind.REFUSED, link.own().orElse(""), meeting.host(), code.code(), reason),
                    now(),
                    isLast,
                    reason);
            if (decided.filter(this::isElsewhere).isPresent()) {
                surroundings.console().say(reason);
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
        if (NoThread.isIn(why)) {
            return NoThread.WORDS;
        }
        return String.valueOf(why instanceof MusterException ? why.getMessage() : why);
    }

    private boolean isElsewhere(Heard.Decided decided) {
        return !link.own().equals(Optional.of(decided.end().launcher()));
    }

    /** Nothing was started here, and nothing will be. */
    private int endedElsewhere(Heard.Decided decided) {
        Cause cause = new Cause.Elsewhere(decided.end());
        int code = last.isPresent()
                ? endedBetweenRuns(cause, report(Optional.of(decided)))
                : left(telling.tell(nameForFiles(), nothingRan(decided), Map.of()));
        stay(decided.end());
        return code;
    }

    Verdict nothingRan(Heard.Decided decided) {
        return new Verdict(
                Optional.empty(),
                new Cause.Elsewhere(decided.end()),
                List.of(),
                Duration.ZERO,
                Duration.ZERO,
                report(Optional.of(decided)));
    }

    /** Where the platform wants pods to fail one by one. */
    void stay(JobEnd end) {
        if (end.kind() != JobEnd.Kind.STOPPED) {
            site.link().staysFor().ifPresent(new Staying(surroundings.console(), surroundings.signals())::last);
        }
    }

    /** Where launchers are called by their roles, so are their results. */
    Optional<String> nameForFiles() {
        boolean isOfNode = site.node().index().stream()
                .mapToObj(LauncherNodes::ofNode)
                .anyMatch(name -> link.own().equals(Optional.of(name)));
        return isOfNode ? Optional.empty() : link.own();
    }

    private int endedBetweenRuns(Cause cause, JobReport job) {
        return left(telling.tell(last.orElseThrow().planName(), betweenRuns(cause, job), Map.of()));
    }

    private Verdict betweenRuns(Cause cause, JobReport job) {
        Verdict verdict = last.orElseThrow().verdict();
        boolean isLost =
                cause instanceof Cause.Elsewhere elsewhere && elsewhere.end().kind() == JobEnd.Kind.LOST;
        return verdict.endedBetweenRuns(cause, Duration.ofNanos(now() - lastEndedAt), job)
                .remarked(
                        isLost && verdict.haveTasksSucceeded() ? beforeTheRun() + "; " + ownSuccess() : beforeTheRun());
    }

    private String beforeTheRun() {
        String code =
                last.map(run -> " with " + codes.of(run.verdict().cause())).orElse("");
        return "run " + runs + " had ended" + code + ", run " + (runs + 1) + " had not begun";
    }

    /** It was cut off at the end: only the leader can know whether the job has succeeded. */
    private String ownSuccess() {
        return "the ranks of this node had all succeeded in run " + runs
                + ", and how the job ended is in the result of the node that leads";
    }

    private int left(int code) {
        link.left(code);
        return code;
    }

    private JobReport report(Optional<Heard.Decided> decided) {
        return link.isUsed()
                ? new JobReport(link.own(), decided.map(Heard.Decided::end), link.report(), now())
                : JobReport.NONE;
    }

    private long now() {
        return surroundings.nanoClock().getAsLong();
    }
}
