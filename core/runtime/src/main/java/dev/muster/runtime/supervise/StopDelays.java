package dev.muster.runtime.supervise;

import dev.muster.runtime.conditions.ConditionWatch;
import dev.muster.runtime.conditions.Conditions;
import dev.muster.runtime.process.SignalNames;
import dev.muster.runtime.process.SignalScope;
import dev.muster.runtime.report.Cause;
import dev.muster.runtime.report.ProcessNames;
import dev.muster.runtime.text.Durations;
import dev.muster.spi.Condition;
import dev.muster.spi.ProcessSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** What puts off parts of a stop: that some end by themselves, save what they have, or are needed. Only the event loop touches it. */
final class StopDelays {

    /** Before KILL, for what a program does at TERM. At most half of the grace. */
    private static final Duration FOR_TERM = Duration.ofSeconds(15);

    /** For a rank that may have failed first, to end with its own code. At most half of the grace. */
    private static final Duration FOR_SUSPECT = Duration.ofSeconds(5);

    private final AttemptState state;
    private final OutcomeState outcome;
    private final StopTimes times;
    private final ConditionWatch conditions;
    private final StopCoordinator stops;
    private OptionalLong checkpointSince = OptionalLong.empty();
    private boolean isSignalled;
    private boolean wasForExternalTerm;
    private boolean isServingTold;

    StopDelays(AttemptState state, StopCoordinator stops) {
        this.state = state;
        this.outcome = state.outcome();
        this.times = state.times();
        this.conditions = state.conditions();
        this.stops = stops;
    }

    /** Who is told to stop has no patience left with tasks that may end by themselves. */
    void signalled() {
        isSignalled = true;
    }

    /** The grace has changed, and counts from now. */
    void putOff() {
        if (checkpointSince.isPresent()) {
            countFromNow();
        }
    }

    /** When a delay must be looked at again even if nothing happens. */
    OptionalLong nextLook(Phase phase) {
        return switch (phase) {
            case EXTERNAL_TERM -> endOfExternalTerm();
            case SUSPECT -> OptionalLong.of(endForSuspect());
            case CHECKPOINT -> OptionalLong.of(endOfCheckpoint());
            case SERVING -> OptionalLong.of(times.end(outcome.knownSince()));
            default -> OptionalLong.empty();
        };
    }

    // --- Nobody is signalled for a while. After a process has ended by a SIGTERM that we had not sent, the others have
    // most likely got it as well and put things away: a program that takes a second SIGTERM for "now" would lose its
    // checkpoint. And some attempts are patient when a task has failed, because the others learn of it by themselves.

    /** Whether that lasts, and somebody runs whom it is for. */
    boolean isForExternalTerm() {
        boolean isOn = !stops.isHurried()
                && endOfExternalTerm().stream().anyMatch(end -> state.now() < end)
                && state.processes().all().stream().anyMatch(process -> process.isRunning() && mayEnd(process.spec()));
        List<ProcessSpec> others = state.processes().running();
        if (wasForExternalTerm && !isOn && !others.isEmpty()) {
            state.say("stopping " + ProcessNames.count(others) + ": " + ProcessNames.list(others) + times.graceText());
        }
        wasForExternalTerm = isOn;
        return isOn;
    }

    private OptionalLong endOfExternalTerm() {
        if (outcome.isOpen()) {
            return OptionalLong.empty();
        }
        if (outcome.cause() instanceof Cause.StoppedFromOutside) {
            return OptionalLong.of(outcome.since() + times.externalTermDelay().toNanos());
        }
        return isPatient() ? OptionalLong.of(outcome.since() + times.patience().toNanos()) : OptionalLong.empty();
    }

    private boolean isPatient() {
        return outcome.cause() instanceof Cause.ProcessFailed
                && !isSignalled
                && !times.patience().isZero();
    }

    /** Hooks are the engine's own, and a service that hosts ranks only carries what another process has started. */
    private boolean mayEnd(ProcessSpec process) {
        return process instanceof ProcessSpec.Task
                || (process instanceof ProcessSpec.Service service
                        && service.hosted().isEmpty()
                        && !isPatient());
    }

    /** Whether that lasts for a rank that has told of a failure, and still runs: TERM would take its own code away. */
    boolean isForSuspect(boolean isSearching) {
        return isSearching && !isSignalled && !stops.isHurried() && state.now() < endForSuspect();
    }

    private long endForSuspect() {
        return outcome.knownSince()
                + Math.min(FOR_SUSPECT.toNanos(), times.grace().toNanos() / 2);
    }

    // --- Ranks have time to save what they have before they get TERM, where the user has named a signal for that.

    /** Whether that lasts; begins when it is first asked for after a stop. */
    boolean isForCheckpoint() {
        if (times.checkpointSignal().isEmpty() || !outcome.isAskedFor() || stops.isHurried()) {
            return false;
        }
        if (checkpointSince.isEmpty()) {
            beginCheckpoint(times.checkpointSignal().get());
        }
        return state.now() < endOfCheckpoint()
                && state.processes().all().stream().anyMatch(this::saves);
    }

    private void countFromNow() {
        long now = state.now();
        checkpointSince = OptionalLong.of(now);
        times.countFrom(now);
    }

    /** When ranks get TERM. */
    private long endOfCheckpoint() {
        long grace = times.grace().toNanos();
        return checkpointSince.orElseThrow() + Math.max(grace - FOR_TERM.toNanos(), grace / 2);
    }

    private void beginCheckpoint(String signal) {
        countFromNow();
        int number = SignalNames.number(signal).orElseThrow();
        List<SupervisedProcess> saving =
                state.processes().all().stream().filter(this::saves).toList();
        List<ProcessSpec> ofPlan = new ArrayList<>();
        for (SupervisedProcess process : saving) {
            boolean isHost = process.spec().hosted().isPresent();
            // Whoever has no handler for it dies of it, which is what was asked for.
            process.signalled(state.now());
            state.effects().signal(process.processId(), number, isHost ? SignalScope.RANKS : SignalScope.LEADER);
            if (!isHost) {
                ofPlan.add(process.spec());
            }
        }
        if (!saving.isEmpty()) {
            String ranks = ofPlan.isEmpty() ? "hosted ranks" : ProcessNames.count(ofPlan);
            state.say("SIG" + signal + " to " + ranks + "; SIGTERM follows in "
                    + Durations.format(Duration.ofNanos(endOfCheckpoint() - checkpointSince.getAsLong())));
        }
    }

    /** A service that hosts ranks runs for as long as its host on another node does. */
    private boolean saves(SupervisedProcess process) {
        boolean isHosting = process.spec()
                .hosted()
                .filter(ranks -> !conditions.isMet(ranks.until()))
                .isPresent();
        return process.isRunning() && (process.spec() instanceof ProcessSpec.Task || isHosting);
    }

    // --- Workers of other nodes need a ps for their checkpoints: it goes on until they have ended, or the grace is
    // over.

    /** Whether services go on for that. */
    boolean isForPeers() {
        if (!outcome.isAskedFor() || stops.isHurried() || state.now() >= times.end(outcome.knownSince())) {
            return false;
        }
        List<ProcessSpec> needed = state.processes().running().stream()
                .filter(process -> neededUntil(process)
                        .filter(condition -> !conditions.isMet(condition))
                        .isPresent())
                .toList();
        if (!needed.isEmpty() && !isServingTold) {
            isServingTold = true;
            state.say(ProcessNames.count(needed) + " that other nodes need: going on until "
                    + Conditions.describe(neededUntil(needed.get(0)).orElseThrow()));
        }
        return !needed.isEmpty();
    }

    private static Optional<Condition> neededUntil(ProcessSpec process) {
        return process instanceof ProcessSpec.Service service ? service.neededUntil() : Optional.empty();
    }
}
