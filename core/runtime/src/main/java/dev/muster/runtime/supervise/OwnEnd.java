package dev.muster.runtime.supervise;

import dev.muster.runtime.errors.ExitCode;
import dev.muster.runtime.link.JobEnd;
import dev.muster.runtime.report.Cause;
import dev.muster.runtime.report.ExitCodes;
import dev.muster.runtime.report.VerdictText;
import dev.muster.spi.ProcessSpec;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** The end of this node's part as the other launchers are told: secrets are masked, and their own codes are up to them. */
final class OwnEnd {

    private final Others others;
    private final Roster roster;
    private final StopTimes times;
    private final Effects effects;

    OwnEnd(Others others, Roster roster, StopTimes times, Effects effects) {
        this.times = times;
        this.others = others;
        this.roster = roster;
        this.effects = effects;
    }

    /** @param when it was, on the clock of all events */
    JobEnd of(Cause cause, long when) {
        if (cause instanceof Cause.OfProcess ended) {
            return of(ended);
        }
        if (cause instanceof Cause.Interrupted interrupted) {
            String reason = VerdictText.endOf(interrupted, roster.durationUntil(when));
            return end(JobEnd.Kind.STOPPED, cause, OptionalInt.of(interrupted.number()), reason)
                    .withGrace(times.asked());
        }
        return end(kind(cause), cause, OptionalInt.empty(), VerdictText.shortly(cause));
    }

    private static JobEnd.Kind kind(Cause cause) {
        if (Interruption.isOfKilled(cause)) {
            return JobEnd.Kind.LOST;
        }
        boolean isFault = cause instanceof Cause.Decided decided && decided.isFault();
        return isFault ? JobEnd.Kind.FAILED : JobEnd.Kind.OUTCOME;
    }

    private JobEnd of(Cause.OfProcess ended) {
        ProcessSpec process = ended.process();
        Optional<Supervised> ofPlan = roster.find(process.id());
        Optional<Duration> ran =
                ofPlan.map(known -> Duration.ofNanos(known.wasStarted() ? known.endedAt() - known.startedAt() : 0));
        JobEnd.Kind kind = ended instanceof Cause.ProcessFailed
                ? isFinal(ended) ? JobEnd.Kind.OUTCOME : JobEnd.Kind.FAILED
                : JobEnd.Kind.STOPPED_FROM_OUTSIDE;
        JobEnd end = end(kind, ended, ended.termination().signal(), VerdictText.endOf(ended, ran));
        return new JobEnd(
                end.kind(),
                end.launcher(),
                end.host(),
                end.exitCode(),
                end.signal(),
                end.reason(),
                Optional.of(process.id()),
                process.placement().map(rank -> OptionalInt.of(rank.rank())).orElse(OptionalInt.empty()),
                ended.pid() > 0 ? OptionalLong.of(ended.pid()) : OptionalLong.empty(),
                ofPlan.flatMap(known -> effects.log(process)).map(Path::toString));
    }

    /** Whether the others must not think of it as a failure after which the job can start again. */
    private boolean isFinal(Cause.OfProcess ended) {
        return others.restarts()
                && (ended.process() instanceof ProcessSpec.Hook
                        || ended.termination().startProblem().isPresent());
    }

    /** Of a node that was stopped and leaves the job to the others, which restart when it comes again. */
    JobEnd lost(Cause.Interrupted stop, long when) {
        String reason = VerdictText.endOf(stop, roster.durationUntil(when)) + ", and leaves the job (--stop node)";
        return JobEnd.of(
                JobEnd.Kind.LOST,
                others.link().own().orElse(""),
                others.host(),
                ExitCode.TEMPORARY.code(),
                effects.masked(reason));
    }

    private JobEnd end(JobEnd.Kind kind, Cause cause, OptionalInt signal, String reason) {
        return new JobEnd(
                kind,
                others.link().own().orElse(""),
                others.host(),
                ExitCodes.STANDARD.of(cause),
                signal,
                effects.masked(reason),
                Optional.empty(),
                OptionalInt.empty(),
                OptionalLong.empty(),
                Optional.empty());
    }
}
