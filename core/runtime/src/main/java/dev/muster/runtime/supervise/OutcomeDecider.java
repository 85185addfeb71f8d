package dev.muster.runtime.supervise;

import dev.muster.runtime.inputs.ResetFile;
import dev.muster.runtime.report.Cause;
import dev.muster.spi.Condition;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/** Decides when and why this node's part ends, and reports that to the other launchers and the user. Only the event loop uses it. */
final class OutcomeDecider {

    /** How often to check whether a rank outside the plan has ended. */
    private static final long PAUSE = Duration.ofMillis(500).toNanos();

    private final OutcomeEvaluator evaluator;
    private final OutcomeState outcome;
    private final PeerNotifier peers;
    private final AttemptReporter reporter;
    private final FirstFailureResolver failures;
    private final CardFaults faults;
    private final AttemptState state;
    /** Processes whose ends are reported once it is known which of them ends the job. */
    private final List<SupervisedProcess> untold = new ArrayList<>();

    OutcomeDecider(AttemptState state, PeerNotifier peers, AttemptReporter reporter) {
        this.state = state;
        this.outcome = state.outcome();
        this.evaluator = new OutcomeEvaluator(state);
        this.peers = peers;
        this.reporter = reporter;
        this.failures = new FirstFailureResolver(state);
        this.faults = new CardFaults(state);
    }

    /** A process has ended. */
    void onEnded(Event.Ended event) {
        SupervisedProcess process = state.processes().find(event.id()).orElseThrow();
        process.markEnded(event);

        if (outcome.isOpen()) {
            if (evaluator.isFailure(process)) {
                failures.add(process, state.now());
            }
            if (failures.isPending()) {
                untold.add(process);
                return;
            }
            evaluator.causeAfter(process).ifPresent(cause -> end(cause, process.endedAt()));
        } else if (outcome.isHarmless(process)) {
            process.markHarmless();
        } else {
            reconsider(process);
        }
        peers.reportEnded(process);
    }

    /** After the job's end is decided: this process may have failed before the failure that decided it. */
    private void reconsider(SupervisedProcess ended) {
        boolean wasSearching = failures.isSearching();
        if (failures.isEarlier(ended)) {
            failures.endSearch();
            ended.markFailedBefore();
            evaluator.causeAfter(ended).ifPresent(cause -> {
                outcome.replaceCause(cause);
                reporter.reportEarlier(ended);
                peers.reportPartEnded(false, false);
            });
        } else if (wasSearching && !failures.isSearching()) {
            peers.confirmStop();
        }
    }

    /** The platform's list of card faults has changed. */
    void onCardFaults(ResetFile.Seen faultsNow) {
        faults.onListRead(faultsNow);
    }

    /** Whether a failure is known, but not yet whether it was the first. */
    boolean isPending() {
        return failures.isPending() || faults.isHolding();
    }

    /** Whether the end is known, but a rank that still runs may have failed before. */
    boolean isSearching() {
        return failures.isSearching();
    }

    /** When to call {@link #decide} again if no event comes. */
    OptionalLong nextCheck() {
        if (failures.isPending()) {
            return OptionalLong.of(FirstFailureResolver.nextCheck(state.now()));
        }
        return faults.nextCheck().isEmpty()
                        && outcome.isOpen()
                        && evaluator.host().isPresent()
                ? OptionalLong.of(state.now() + PAUSE)
                : faults.nextCheck();
    }

    /** Decides what can be decided now. */
    void decide() {
        if (failures.canResolve(state.now())) {
            resolveFailures();
        }
        if (faults.isOver()) {
            resolvePending();
        } else if (!isPending() && outcome.isOpen()) {
            faults.cause().or(evaluator::hostedRankEnded).ifPresent(cause -> end(cause, state.now()));
        }
    }

    /** Settles pending failures first: another event follows that may also end the job. */
    void resolvePending() {
        resolveFailures();
        faults.release(this::endNow);
    }

    private void resolveFailures() {
        if (failures.isPending()) {
            SupervisedProcess first = failures.resolve();
            evaluator.causeAfter(first).ifPresent(cause -> end(cause, first.endedAt()));
            untold.stream()
                    .filter(other -> other != first && !outcome.isOpen() && outcome.isHarmless(other))
                    .forEach(SupervisedProcess::markHarmless);
            untold.forEach(peers::reportEnded);
            untold.clear();
        }
    }

    /** A condition has come true. */
    void onMet(Condition condition, long when) {
        resolvePending();
        if (outcome.isOpen()) {
            evaluator.causeAfter(condition).ifPresent(cause -> end(cause, when));
        }
    }

    /** Another launcher ends the job. */
    void endElsewhere(Cause elsewhere, long when) {
        resolvePending();
        if (outcome.isOpen() || outcome.isSuccess()) {
            end(elsewhere, when);
        } else {
            peers.confirmStop();
        }
    }

    /** The leader has decided how the job ended: the search for earlier failures ends. */
    void onDecided() {
        failures.endSearch();
    }

    /** The native supervisor was killed. */
    void onKilled() {
        resolvePending();
        end(Cause.Decided.KILLED, state.now());
    }

    /** The job hangs: no rank makes progress. */
    void onHang(Event.Hangs hang) {
        resolvePending();
        if (outcome.isOpen()) {
            end(new Cause.Hung(hang.reason(), hang.isToRestart()), hang.nanoTime());
        }
    }

    /** Begins the end, unless the failure is held back because its card may have a fault. */
    void end(Cause cause, long when) {
        if (!outcome.isOpen() || !faults.hold(cause, when)) {
            endNow(cause, when);
        }
    }

    private void endNow(Cause cause, long when) {
        outcome.setCause(cause, when, state.now());
        boolean isConsequence = failures.isConsequence(cause);
        boolean isDoubtful = isConsequence || (outcome.isElsewhere() && outcome.isDoubtful());
        // With patience the tasks are launchers such as torchrun, which find the first failure themselves.
        if (isDoubtful && state.times().endDelay().isZero()) {
            failures.search().forEach(reporter::reportSuspect);
        }
        if (isConsequence || failures.isSearching()) {
            outcome.markDoubtful();
        }
        peers.reportPartEnded(isConsequence, failures.isSearching());
        reporter.reportCause(cause);
        peers.reportNeverStarted(state.now());
    }
}
