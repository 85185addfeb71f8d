package dev.muster.runtime.launch;

import dev.muster.runtime.config.OptionTable;
import dev.muster.runtime.config.Settings;
import dev.muster.runtime.link.JobEnd;
import dev.muster.runtime.output.Console;
import dev.muster.runtime.process.Termination;
import dev.muster.runtime.report.Cause;
import dev.muster.runtime.report.Evidence;
import dev.muster.runtime.report.ExitCodes;
import dev.muster.runtime.report.ProcessReport;
import dev.muster.runtime.report.Verdict;
import dev.muster.runtime.runs.Repetition;
import dev.muster.runtime.runs.RestartOn;
import dev.muster.runtime.runs.RunCount;
import dev.muster.runtime.runs.RunEnd;
import dev.muster.runtime.supervise.Interruption;
import dev.muster.runtime.text.Durations;
import dev.muster.spi.ProcessSpec;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Counts the runs of a job, decides whether another one follows, and tells of it. */
final class Restarts {

    private final Settings settings;
    private final Repetition repetition = new Repetition();
    private RunCount count;
    private boolean isRepeated;

    Restarts(Settings settings) {
        this.settings = settings;
        count = PlannedRun.countOf(settings);
    }

    /** The run that is, or will be. */
    RunCount count() {
        return count;
    }

    /**
     * Whether another run follows one that has ended so, unless it fails in the same way again and again.
     *
     * @param known which run it was, as all launchers know it
     */
    boolean follow(Verdict verdict, RunCount known) {
        count = known;
        return known.mayRestart() && restartOn(settings).has(end(verdict));
    }

    /** Whether it has failed in the same way as those before. To be asked once a run. */
    boolean isRepeated(Verdict verdict) {
        isRepeated = repetition.isThird(failure(verdict));
        return isRepeated;
    }

    /** From now on it is the next run that will be. */
    void begin(RunCount next) {
        count = next;
    }

    private static RestartOn restartOn(Settings settings) {
        return RestartOn.parse(settings.text(OptionTable.RESTART_ON).orElseThrow());
    }

    /** What must be the same on all nodes, by what it means: {@code 5} is {@code 5s}. Empty without restarts. */
    static Map<String, String> equal(Settings settings) {
        int limit = PlannedRun.countOf(settings).limit();
        return limit == 0
                ? Map.of()
                : Map.of(
                        OptionTable.RESTARTS.name(),
                        String.valueOf(limit),
                        OptionTable.RESTART_ON.name(),
                        restartOn(settings).meaning());
    }

    /** What users should know of the runs when the job ends with this one; empty: there was only one. */
    String remark() {
        int left = count.limit() - count.used();
        if (isRepeated && left > 0) {
            return "after " + count.run() + " runs: the same failure " + Repetition.TIMES + " times within "
                    + Durations.format(Repetition.SOON) + " of the start, so that "
                    + (left == 1 ? "the last restart was" : "the " + left + " restarts that were left were")
                    + " not tried";
        }
        return count.run() > 1 ? "after " + count.run() + " runs" : "";
    }

    /** Says that another run follows. */
    static void announce(Console console, RunCount next) {
        console.say("run " + next.run() + " begins in " + Durations.format(next.delay()) + " (restart " + next.used()
                + " of at most " + next.limit() + ")");
    }

    /** What the verdict of a run means for another one: as all launchers of the job know it, where they have agreed. */
    private static RunEnd end(Verdict verdict) {
        if (!isOfRank(verdict.cause()) || Interruption.isOfKilled(verdict.cause())) {
            return RunEnd.FINAL;
        }
        return verdict.job().end().map(Restarts::end).orElseGet(() -> end(verdict.cause()));
    }

    /**
     * Steps are the engine's own commands, and what could not be started will not be a moment later. A node that was told to stop
     * does so, whatever the others do.
     */
    private static boolean isOfRank(Cause cause) {
        if (cause instanceof Cause.Interrupted) {
            return false;
        }
        return !(cause instanceof Cause.ProcessFailed failed)
                || !(failed.process() instanceof ProcessSpec.Hook
                        || failed.termination().startProblem().isPresent());
    }

    private static RunEnd end(Cause cause) {
        if (cause instanceof Cause.ProcessFailed failed) {
            // As others are told: a service that ends with 0 before its time has failed, too.
            return new RunEnd(RunEnd.Kind.FAILED, ExitCodes.STANDARD.of(failed));
        }
        if (cause instanceof Cause.Decided decided && decided.isFault()) {
            return new RunEnd(RunEnd.Kind.FAILED, decided.exitCode());
        }
        return cause instanceof Cause.Elsewhere elsewhere ? end(elsewhere.end()) : RunEnd.FINAL;
    }

    private static RunEnd end(JobEnd end) {
        return switch (end.kind()) {
            case FAILED -> new RunEnd(RunEnd.Kind.FAILED, end.exitCode());
            case LOST -> new RunEnd(RunEnd.Kind.LOST, end.exitCode());
            case SUCCESS, STOPPED, STOPPED_FROM_OUTSIDE, OUTCOME, REFUSED -> RunEnd.FINAL;
        };
    }

    /** The failure, where it was one of this node's, and what it said. */
    private static Optional<Repetition.Failure> failure(Verdict verdict) {
        if (!(verdict.cause() instanceof Cause.ProcessFailed failed)) {
            return Optional.empty();
        }
        Optional<Evidence> evidence = verdict.evidence();
        List<String> words =
                evidence.flatMap(Evidence::words).map(Evidence.Words::lines).orElse(List.of());
        String rank = evidence.flatMap(Evidence::culprit)
                .map(culprit -> " rank " + culprit.rank())
                .orElse("");
        Termination how = failed.termination();
        return Optional.of(new Repetition.Failure(
                failed.process().id() + rank, how.exitCode(), failed.pid(), words, ran(failed, verdict)));
    }

    /** Not how long the others took to end. A rank that is none of the plan's is known to have run no longer than the job did before. */
    private static Duration ran(Cause.ProcessFailed failed, Verdict verdict) {
        Duration before = verdict.duration().minus(verdict.age());
        return verdict.processes().stream()
                .filter(process -> process.spec().id().equals(failed.process().id()))
                .map(ProcessReport::duration)
                .findFirst()
                .orElse(before.isNegative() ? Duration.ZERO : before);
    }
}
