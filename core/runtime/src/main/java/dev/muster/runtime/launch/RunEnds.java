package dev.muster.runtime.launch;

import dev.muster.runtime.link.JobEnd;
import dev.muster.runtime.process.Termination;
import dev.muster.runtime.report.Cause;
import dev.muster.runtime.report.Evidence;
import dev.muster.runtime.report.ExitCodes;
import dev.muster.runtime.report.ProcessReport;
import dev.muster.runtime.report.Verdict;
import dev.muster.runtime.runs.Repetition;
import dev.muster.runtime.runs.RunEnd;
import dev.muster.runtime.supervise.Interruption;
import dev.muster.spi.ProcessSpec;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** What the verdict of a run means for another one. */
final class RunEnds {

    private RunEnds() {}

    /** As all launchers of the job know it, where they have agreed. */
    static RunEnd of(Verdict verdict) {
        if (!isOfRank(verdict.cause()) || Interruption.isOfKilled(verdict.cause())) {
            return RunEnd.FINAL;
        }
        return verdict.job().end().map(RunEnds::of).orElseGet(() -> of(verdict.cause()));
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

    private static RunEnd of(Cause cause) {
        if (cause instanceof Cause.ProcessFailed failed) {
            // As others are told: a service that ends with 0 before its time has failed, too.
            return new RunEnd(RunEnd.Kind.FAILED, ExitCodes.STANDARD.of(failed));
        }
        if (cause instanceof Cause.Decided decided && decided.isFault()) {
            return new RunEnd(RunEnd.Kind.FAILED, decided.exitCode());
        }
        return cause instanceof Cause.Elsewhere elsewhere ? of(elsewhere.end()) : RunEnd.FINAL;
    }

    private static RunEnd of(JobEnd end) {
        return switch (end.kind()) {
            case FAILED -> new RunEnd(RunEnd.Kind.FAILED, end.exitCode());
            case LOST -> new RunEnd(RunEnd.Kind.LOST, end.exitCode());
            case SUCCESS, STOPPED, STOPPED_FROM_OUTSIDE, OUTCOME, REFUSED -> RunEnd.FINAL;
        };
    }

    /** The failure, where it was one of this node's, and what it said. */
    static Optional<Repetition.Failure> failure(Verdict verdict) {
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
