package dev.muster.runtime.supervise;

import dev.muster.runtime.conditions.Conditions;
import dev.muster.runtime.link.JobEnd;
import dev.muster.runtime.link.Link;
import dev.muster.runtime.link.LinkEvent;
import dev.muster.runtime.link.LinkReport;
import dev.muster.runtime.output.WaitReporter.Waiting;
import dev.muster.runtime.report.Cause;
import dev.muster.runtime.report.JobReport;
import dev.muster.runtime.report.Verdict;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.LongStream;

/**
 * The last wait of a launcher, after all processes of its node have ended. It waits for the outcome of the job, and until no other launcher
 * needs it. Only the event loop uses it.
 */
final class ExitBarrier {

    /** How long to wait for the outcome of the job. */
    private static final long FOR_THE_DECISION = Duration.ofSeconds(2).toNanos();
    /** How long, beyond the grace, to wait until the others have ended. */
    private static final long BEYOND_THE_GRACE = Duration.ofSeconds(5).toNanos();

    /** The user sees no line about a shorter wait: the others usually end at the same time. */
    private static final Duration QUIET = Duration.ofSeconds(5);

    private static final long PAUSE = Duration.ofSeconds(1).toNanos();

    private final AttemptState state;
    private final PeerLink others;
    private final Link link;
    private final OutcomeState outcome;
    private Optional<Waiting> waiting = Optional.empty();
    private Optional<LinkEvent.Decided> decided = Optional.empty();
    private long decidedAt;
    private boolean mayExit;
    private boolean isSignalled;
    private boolean isWaitEnded;
    private OptionalLong nextReminder = OptionalLong.empty();

    ExitBarrier(AttemptState state) {
        this.state = state;
        this.others = state.peers();
        this.link = others.link();
        this.outcome = state.outcome();
    }

    /** The leader has decided how the job ended. */
    void onDecided(LinkEvent.Decided end, long when) {
        decided = Optional.of(end);
        decidedAt = when;
    }

    /** No other launcher needs this one any more. */
    void allowExit() {
        mayExit = true;
    }

    /** A signal came: it ends a stay, and a member's wait after its success. */
    void onSignal() {
        isSignalled = true;
    }

    /** Whether a signal after this node's success still stops the job: other nodes may run. */
    boolean canStopPeers() {
        return link.leads() || others.isRestartable();
    }

    /** Ends the wait at once. */
    void endWait() {
        isWaitEnded = true;
    }

    /** The cause for the verdict: the job's cause if the job's end began on another node. */
    Cause finalCause() {
        Cause own = outcome.cause();
        if (decided.isEmpty() || outcome.isSuccess()) {
            return own;
        }
        JobEnd end = decided.get().end();
        boolean isSameSignal = own instanceof Cause.Interrupted interrupted
                && end.kind() == JobEnd.Kind.STOPPED
                && end.signal().orElse(0) == interrupted.signal().number();
        boolean isOurs = link.own().equals(Optional.of(end.launcher()))
                && (end.kind() != JobEnd.Kind.LOST || own.isLauncherKilled())
                && !outcome.isElsewhere();
        return isOurs || isSameSignal ? own : new Cause.Elsewhere(end);
    }

    /** Whether the launcher may end. */
    boolean isOver() {
        if (!link.isUsed()) {
            return true;
        }
        boolean isOver = isWaitEnded || isFree() || end().stream().anyMatch(time -> state.now() - time >= 0);
        if (!isOver && (link.leads() || isDelayed())) {
            remind();
        }
        return isOver;
    }

    /** When to ask {@link #isOver} again if no event comes. */
    OptionalLong nextCheck() {
        return LongStream.concat(end().stream(), nextReminder.stream()).min();
    }

    /** The verdict, after the wait is over. */
    Verdict verdict() {
        long now = state.now();
        ProcessRegistry processes = state.processes();
        return new Verdict(
                processes.plan().name(),
                finalCause(),
                processes.reports(now),
                processes.duration(),
                Duration.ofNanos(now - outcome.since()),
                new JobReport(link.own(), decided.map(LinkEvent.Decided::end), link.report(), now));
    }

    private boolean isFree() {
        if (isDelayed()) {
            return isSignalled;
        }
        if (outcome.isSuccess() && !outcome.isElsewhere()) {
            return mayExit || (!link.leads() && (isSignalled || decided.isPresent()));
        }
        return decided.isPresent()
                && (mayExit || !link.leads() || others.exitDelay().isPresent());
    }

    /** The latest time at which the wait ends. */
    private OptionalLong end() {
        if (isDelayed()) {
            return OptionalLong.of(outcome.since() + others.exitDelay().get().toNanos());
        }
        if (decided.isPresent()) {
            return OptionalLong.of(decidedAt + state.times().grace().toNanos() + BEYOND_THE_GRACE);
        }
        // The first failure may become known only when its process ends, within the grace.
        long more = outcome.isDoubtful() ? state.times().grace().toNanos() : 0;
        return outcome.isSuccess()
                ? OptionalLong.empty()
                : OptionalLong.of(outcome.knownSince() + FOR_THE_DECISION + more);
    }

    /** Whether to stay: some platforms do not replace the pods of a job that all fail together. */
    private boolean isDelayed() {
        return others.exitDelay().isPresent() && outcome.isElsewhere() && !outcome.isSuccess() && !outcome.isAskedFor();
    }

    private void remind() {
        if (waiting.isEmpty()) {
            waiting = Optional.of(state.waitQuietFor(QUIET));
        }
        nextReminder = OptionalLong.of(state.now() + PAUSE);
        waiting.get().report(this::awaited);
    }

    private String awaited() {
        if (isDelayed()) {
            return "staying" + PeerLink.WHY_DELAYED;
        }
        List<String> running = running();
        return (outcome.isSuccess() ? "this node has succeeded; waiting for " : "waiting for the end of ")
                + (running.isEmpty() ? "the other nodes" : Conditions.list(running));
    }

    private List<String> running() {
        return link.report().nodes().stream()
                .filter(node -> node.state().equals("running") || (outcome.isSuccess() && !node.isSeen()))
                .filter(node -> !Optional.of(node.launcher()).equals(link.own()))
                .map(LinkReport.NodeEnd::where)
                .toList();
    }
}
