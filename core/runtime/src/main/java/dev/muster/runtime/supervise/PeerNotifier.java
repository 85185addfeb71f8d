package dev.muster.runtime.supervise;

import dev.muster.runtime.link.JobEnd;
import dev.muster.runtime.link.Link;
import dev.muster.runtime.link.LocalEvent;
import dev.muster.runtime.process.ResourceUse;
import dev.muster.runtime.process.Termination;
import dev.muster.runtime.report.Cause;
import dev.muster.runtime.report.ExitCodes;
import dev.muster.runtime.report.VerdictText;
import dev.muster.spi.ProcessSpec;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.ToLongFunction;

/** Tells the other launchers how this node's part of the job goes. Only the event loop uses it. */
final class PeerNotifier {

    private final AttemptState state;
    private final PeerLink peers;
    private final Link link;
    private final Effects effects;
    private boolean hasAnswered;
    private boolean hasSucceeded;

    PeerNotifier(AttemptState state) {
        this.state = state;
        this.peers = state.peers();
        this.link = peers.link();
        this.effects = state.effects();
    }

    void reportStarted(SupervisedProcess process) {
        if (process.wasStarted()) {
            link.send(new LocalEvent.Started(
                    process.id(),
                    process.pid(),
                    process.rank(),
                    effects.log(process.spec()).map(Path::toString),
                    process.startedAt()));
        }
    }

    void reportReady(SupervisedProcess process, long when) {
        link.send(new LocalEvent.Ready(process.id(), when));
        state.conditions().ready(process.id(), when);
    }

    void reportEnded(SupervisedProcess process) {
        Termination how = Objects.requireNonNull(process.termination());
        link.send(new LocalEvent.Ended(
                process.id(),
                how.exitCode(),
                how.signal(),
                how.isSuccess() ? how.describe() : effects.masked(how.describe()),
                process.endedByUs(),
                process.endedAt(),
                used(process, ResourceUse::peakMemoryBytes),
                used(process, use -> use.user().toMillis()),
                used(process, use -> use.system().toMillis())));
        state.conditions().ended(process.id(), process.endedAt());
    }

    private static OptionalLong used(SupervisedProcess process, ToLongFunction<ResourceUse> what) {
        return process.use().stream().mapToLong(what).findFirst();
    }

    /** Reports waiting processes as ended, since they will never start. Conditions here and on other nodes wait for their end. */
    void reportNeverStarted(long now) {
        for (SupervisedProcess process : state.processes().all()) {
            if (process.isWaiting() && !(process.spec() instanceof ProcessSpec.Hook)) {
                reportEndToPeers(process.id(), "never started", now);
                state.conditions().ended(process.id(), now);
            }
        }
    }

    /** Reports an end to the other launchers only, not to the hosts of ranks here: see {@link HostedRankTracker}. */
    void reportEndToPeers(String which, String how, long when) {
        link.send(new LocalEvent.Ended(
                which,
                0,
                OptionalInt.empty(),
                how,
                true,
                when,
                OptionalLong.empty(),
                OptionalLong.empty(),
                OptionalLong.empty()));
    }

    /**
     * This node's part has ended. After a success it may end once more, otherwise.
     *
     * @param isConsequence whether it is a process that failed because another was gone
     * @param isSearching whether an earlier failure may still become known here
     */
    void reportPartEnded(boolean isConsequence, boolean isSearching) {
        OutcomeState outcome = state.outcome();
        if (outcome.isSuccess() && !outcome.isElsewhere()) {
            reportSuccess(outcome.cause());
            return;
        }
        if (!outcome.isElsewhere()) {
            hasAnswered = !isConsequence;
            link.send(new LocalEvent.Over(end(outcome.cause(), outcome.since()), isConsequence, outcome.since()));
        }
        if (!isSearching) {
            confirmStop();
        }
    }

    /** Sends a reason only if it comes from the plan: only that one is true for other nodes, too. */
    private void reportSuccess(Cause success) {
        if (!hasSucceeded) {
            hasSucceeded = true;
            link.send(new LocalEvent.Succeeded(
                    success instanceof Cause.Decided decided
                            ? Optional.of(effects.masked(decided.reason()))
                            : Optional.empty()));
        }
    }

    /** Tells the leader, at most once, that this node has obeyed the stop. */
    void confirmStop() {
        if (!hasAnswered) {
            hasAnswered = true;
            link.send(new LocalEvent.Heeded());
        }
    }

    // --- the end of this node's part: secrets are masked, and each launcher computes its own exit code

    private JobEnd end(Cause cause, long when) {
        if (cause instanceof Cause.OfProcess ended) {
            return endOf(ended);
        }
        if (cause instanceof Cause.Interrupted interrupted) {
            String reason = VerdictText.endOf(interrupted, state.processes().durationUntil(when));
            JobEnd stop = end(JobEnd.Kind.STOPPED, cause, reason)
                    .withGrace(state.times().requestedGrace());
            return interrupted.signal().isTimeLimit()
                    ? stop
                    : stop.bySignal(interrupted.signal().number());
        }
        // The callers have excluded a success and an end on another node.
        return end(kind(cause), cause, ((Cause.Stated) cause).reason());
    }

    private static JobEnd.Kind kind(Cause cause) {
        if (cause.isLauncherKilled()) {
            return JobEnd.Kind.LOST;
        }
        boolean isFault = cause instanceof Cause.Decided decided && decided.isFault();
        boolean isToRestart = cause instanceof Cause.Hung hung && hung.isToRestart();
        return isFault || isToRestart ? JobEnd.Kind.FAILED : JobEnd.Kind.OUTCOME;
    }

    private JobEnd endOf(Cause.OfProcess ended) {
        ProcessSpec process = ended.process();
        Optional<SupervisedProcess> ofPlan = state.processes().find(process.id());
        JobEnd.Kind kind = ended instanceof Cause.ProcessFailed
                ? isFinal(ended) ? JobEnd.Kind.OUTCOME : JobEnd.Kind.FAILED
                : JobEnd.Kind.STOPPED_FROM_OUTSIDE;
        JobEnd end = end(kind, ended, VerdictText.endOf(ended, ofPlan.map(SupervisedProcess::runTime)));
        return new JobEnd(
                end.kind(),
                end.launcher(),
                end.host(),
                end.exitCode(),
                ended.termination().signal(),
                end.reason(),
                Optional.of(process.id()),
                process.placement().map(rank -> OptionalInt.of(rank.rank())).orElse(OptionalInt.empty()),
                ended.pid() > 0 ? OptionalLong.of(ended.pid()) : OptionalLong.empty(),
                ofPlan.flatMap(known -> effects.log(process)).map(Path::toString),
                OptionalLong.empty());
    }

    /** Whether no restart may follow this failure: a hook failed, or a process could not be started. */
    private boolean isFinal(Cause.OfProcess ended) {
        return peers.isRestartable()
                && (ended.process() instanceof ProcessSpec.Hook
                        || ended.termination().startProblem().isPresent());
    }

    private JobEnd end(JobEnd.Kind kind, Cause cause, String reason) {
        return JobEnd.of(
                kind, link.own().orElse(""), link.host(), ExitCodes.STANDARD.of(cause), effects.masked(reason));
    }
}
