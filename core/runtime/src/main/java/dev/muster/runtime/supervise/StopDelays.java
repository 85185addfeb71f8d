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

/** Delays a stop while processes end by themselves, save a checkpoint or serve other nodes. Only the event loop uses it. */
final class StopDelays {

    /** The part of the grace after SIGTERM, when a checkpoint signal comes first. At most half of the grace. */
    private static final Duration FOR_TERM = Duration.ofSeconds(15);

    /** How long a rank that may have failed first has to end with its own code. At most half of the grace. */
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

    /** A signal ends the patience with tasks that may end by themselves. */
    void onSignal() {
        isSignalled = true;
    }

    /** The grace has changed and starts again. */
    void restartGrace() {
        if (checkpointSince.isPresent()) {
            startGrace();
        }
    }

    /** When to check a delay again if no event comes. */
    OptionalLong nextCheck(Phase phase) {
        return switch (phase) {
            case EXTERNAL_TERM -> endOfExternalTerm();
            case SUSPECT -> OptionalLong.of(endForSuspect());
            case CHECKPOINT -> OptionalLong.of(endOfCheckpoint());
            case SERVING -> OptionalLong.of(times.killTime(outcome.knownSince()));
            default -> OptionalLong.empty();
        };
    }

    // --- The delay before SIGTERM. After a SIGTERM from outside ended a process, the others most likely got it too,
    // and are saving their state. A program that takes a second SIGTERM for "now" would lose its checkpoint. With
    // patience, other tasks also get time to end by themselves after one failed.

    /** Whether this delay lasts, and a process still runs that may end by itself. */
    boolean isForExternalTerm() {
        boolean isOn = !stops.isGraceEnded()
                && endOfExternalTerm().stream().anyMatch(end -> state.now() < end)
                && state.processes().all().stream().anyMatch(process -> process.isRunning() && canEnd(process.spec()));
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
        return isDelayed() ? OptionalLong.of(outcome.since() + times.endDelay().toNanos()) : OptionalLong.empty();
    }

    private boolean isDelayed() {
        return outcome.cause() instanceof Cause.ProcessFailed
                && !isSignalled
                && !times.endDelay().isZero();
    }

    /** Whether it may end by itself: not a hook, which is the engine's, and not a service that hosts ranks for another process. */
    private boolean canEnd(ProcessSpec process) {
        return process instanceof ProcessSpec.Task
                || (process instanceof ProcessSpec.Service service
                        && service.hosted().isEmpty()
                        && !isDelayed());
    }

    /** Whether to delay for a rank that printed a failure and still runs: SIGTERM would replace its own exit code. */
    boolean isForSuspect(boolean isSearching) {
        return isSearching && !isSignalled && !stops.isGraceEnded() && state.now() < endForSuspect();
    }

    private long endForSuspect() {
        return outcome.knownSince()
                + Math.min(FOR_SUSPECT.toNanos(), times.grace().toNanos() / 2);
    }

    // --- The checkpoint signal. If the user has named one, ranks get it first, and have time to save their state.

    /** Whether this delay lasts. The first call after a stop sends the signal. */
    boolean runCheckpoint() {
        if (times.checkpointSignal().isEmpty() || !outcome.isAskedFor() || stops.isGraceEnded()) {
            return false;
        }
        if (checkpointSince.isEmpty()) {
            beginCheckpoint(times.checkpointSignal().get());
        }
        return state.now() < endOfCheckpoint()
                && state.processes().all().stream().anyMatch(this::getsCheckpoint);
    }

    private void startGrace() {
        long now = state.now();
        checkpointSince = OptionalLong.of(now);
        times.startGrace(now);
    }

    /** When ranks get SIGTERM. */
    private long endOfCheckpoint() {
        long grace = times.grace().toNanos();
        return checkpointSince.orElseThrow() + Math.max(grace - FOR_TERM.toNanos(), grace / 2);
    }

    private void beginCheckpoint(String signal) {
        startGrace();
        int number = SignalNames.number(signal).orElseThrow();
        List<SupervisedProcess> saving =
                state.processes().all().stream().filter(this::getsCheckpoint).toList();
        List<ProcessSpec> ofPlan = new ArrayList<>();
        for (SupervisedProcess process : saving) {
            boolean isHost = process.spec().hosted().isPresent();
            // A rank without a handler dies of the signal. That is no failure.
            process.markSignalled(state.now());
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

    /** Whether the process gets the checkpoint signal. A service that hosts ranks does while the ranks' host on another node runs. */
    private boolean getsCheckpoint(SupervisedProcess process) {
        boolean isHosting = process.spec()
                .hosted()
                .filter(ranks -> !conditions.isMet(ranks.until()))
                .isPresent();
        return process.isRunning() && (process.spec() instanceof ProcessSpec.Task || isHosting);
    }

    // --- Workers of other nodes need a ps for their checkpoints. So it runs until they have ended, or the grace is
    // over.

    /** Whether services go on for other nodes. */
    boolean isForPeers() {
        if (!outcome.isAskedFor() || stops.isGraceEnded() || state.now() >= times.killTime(outcome.knownSince())) {
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
