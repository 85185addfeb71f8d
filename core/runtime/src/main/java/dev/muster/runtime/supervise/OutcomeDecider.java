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
    void ended(Event.Ended event) {
        SupervisedProcess process = state.processes().find(event.id()).orElseThrow();
        process.ended(event);

        if (outcome.isOpen()) {
            if (evaluator.isFailure(process)) {
                failures.failed(process, state.now());
            }
            if (failures.isPending()) {
                untold.add(process);
                return;
            }
            evaluator.ended(process).ifPresent(cause -> begin(cause, process.endedAt()));
        } else if (outcome.forgives(process)) {
            process.forgive();
        } else {
            reconsider(process);
        }
        peers.ended(process);
    }

    /** After the job's end is decided: this process may have failed before the failure that decided it. */
    private void reconsider(SupervisedProcess ended) {
        boolean wasSearching = failures.isSearching();
        if (failures.isEarlier(ended)) {
            failures.end();
            ended.hasFailedBefore();
            evaluator.ended(ended).ifPresent(cause -> {
                outcome.turnOutToBe(cause);
                reporter.failedBefore(ended);
                peers.ended(false, false);
            });
        } else if (wasSearching && !failures.isSearching()) {
            peers.heed();
        }
    }

    /** The platform's list of card faults has changed. */
    void seen(ResetFile.Seen faultsNow) {
        faults.heard(faultsNow);
    }

    /** Whether a failure is known, but not yet whether it was the first. */
    boolean isPending() {
        return failures.isPending() || faults.isHolding();
    }

    /** Whether the end is known, but a rank that still runs may have failed before. */
    boolean isSearching() {
        return failures.isSearching();
    }

    /** When to call {@link #goOn} again if no event comes. */
    OptionalLong nextLook() {
        if (failures.isPending()) {
            return OptionalLong.of(FirstFailureResolver.nextLook(state.now()));
        }
        return faults.nextLook().isEmpty()
                        && outcome.isOpen()
                        && evaluator.host().isPresent()
                ? OptionalLong.of(state.now() + PAUSE)
                : faults.nextLook();
    }

    /** Decides what can be decided now. */
    void goOn() {
        if (failures.areKnown(state.now())) {
            sortOut();
        }
        if (faults.isOver()) {
            settle();
        } else if (!isPending() && outcome.isOpen()) {
            faults.cause().or(evaluator::hostedRankEnded).ifPresent(cause -> begin(cause, state.now()));
        }
    }

    /** Settles pending failures first: another event follows that may also end the job. */
    void settle() {
        sortOut();
        faults.release(this::beginNow);
    }

    private void sortOut() {
        if (failures.isPending()) {
            SupervisedProcess first = failures.first();
            evaluator.ended(first).ifPresent(cause -> begin(cause, first.endedAt()));
            untold.stream()
                    .filter(other -> other != first && !outcome.isOpen() && outcome.forgives(other))
                    .forEach(SupervisedProcess::forgive);
            untold.forEach(peers::ended);
            untold.clear();
        }
    }

    /** A condition has come true. */
    void met(Condition condition, long when) {
        settle();
        if (outcome.isOpen()) {
            evaluator.met(condition).ifPresent(cause -> begin(cause, when));
        }
    }

    /** Another launcher ends the job. */
    void obey(Cause elsewhere, long when) {
        settle();
        if (outcome.isOpen() || outcome.isSuccess()) {
            begin(elsewhere, when);
        } else {
            peers.heed();
        }
    }

    /** The leader has decided how the job ended: the search for earlier failures ends. */
    void decided() {
        failures.end();
    }

    /** The native supervisor was killed. */
    void killed() {
        settle();
        begin(Cause.Decided.KILLED, state.now());
    }

    /** The job hangs: no rank makes progress. */
    void hangs(Event.Hangs hang) {
        settle();
        if (outcome.isOpen()) {
            begin(new Cause.Hung(hang.reason(), hang.isToRestart()), hang.nanoTime());
        }
    }

    /** Begins the end, unless the failure is held back because its card may have a fault. */
    void begin(Cause cause, long when) {
        if (!outcome.isOpen() || !faults.holds(cause, when)) {
            beginNow(cause, when);
        }
    }

    private void beginNow(Cause cause, long when) {
        outcome.begin(cause, when, state.now());
        boolean isConsequence = failures.isConsequence(cause);
        boolean isDoubtful = isConsequence || (outcome.isElsewhere() && outcome.isDoubtful());
        // With patience the tasks are launchers such as torchrun, which find the first failure themselves.
        if (isDoubtful && state.times().patience().isZero()) {
            failures.search().forEach(reporter::mayHaveFailedBefore);
        }
        if (isConsequence || failures.isSearching()) {
            outcome.becomeDoubtful();
        }
        peers.ended(isConsequence, failures.isSearching());
        reporter.decided(cause);
        peers.giveUpTheWaiting(state.now());
    }
}
