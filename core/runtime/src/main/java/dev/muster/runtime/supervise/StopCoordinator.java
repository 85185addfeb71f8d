package dev.muster.runtime.supervise;

import dev.muster.runtime.process.SupervisorEvent;
import dev.muster.runtime.report.ProcessNames;
import dev.muster.runtime.text.Durations;
import dev.muster.spi.ProcessSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Orders the native supervisor to stop processes, and handles its events about that. Only the event loop uses it. */
final class StopCoordinator {

    private static final Duration UNKILLABLE = Duration.ofSeconds(10);

    /** The most orphans to name: each rank may leave dozens of workers. */
    private static final int MOST_TOLD = 10;

    private final AttemptState state;
    private final HostedRankTracker hosted;
    /** Orders that are not complete yet, by their numbers. */
    private final Map<Long, StopOrder> pending = new HashMap<>();

    /** Processes that get SIGKILL and are not reported yet, with the number of processes below each. */
    private final Map<SupervisedProcess, Integer> killed = new LinkedHashMap<>();

    private int leftBehind;
    private boolean isAbrupt;
    /** Whether a stop order has covered all processes. */
    private boolean hasStoppedAll;

    private boolean isGraceEnded;
    private boolean isLost;

    /** @param isAbrupt whether they get SIGKILL without a grace */
    private record StopOrder(Set<Long> only, boolean isAbrupt) {}

    StopCoordinator(AttemptState state, HostedRankTracker hosted) {
        this.state = state;
        this.hosted = hosted;
    }

    /**
     * Stops tasks, prologs and hosts. Without services and stop hooks it also stops orphans of unknown origin. After a card fault they get
     * SIGKILL at once: a checkpoint would be of no use.
     */
    void stopTasks() {
        boolean isFault = state.outcome().fault().isPresent() && !isGraceEnded;
        if (isFault) {
            state.say("stopping " + ProcessNames.count(state.processes().running()) + ": SIGKILL at once");
            isGraceEnded = true;
        }
        List<SupervisedProcess> ending = new ArrayList<>(state.processes().tasks());
        ending.addAll(state.processes().hooks(ProcessSpec.Phase.PROLOG));
        // Hosted ranks belong to the job in the same way as tasks.
        state.processes().hosts().stream()
                .filter(host -> !state.processes().tasks().contains(host))
                .forEach(ending::add);
        boolean isNobodyElse = state.processes().services().isEmpty()
                && state.processes().hooks(ProcessSpec.Phase.ON_STOP).isEmpty();
        hasStoppedAll = isNobodyElse && ending.stream().anyMatch(SupervisedProcess::wasStarted);
        if (hasStoppedAll) {
            order(new StopOrder(Set.of(), isFault), state.times().graceLeft(state.now()));
        } else {
            stop(ending, isFault);
        }
    }

    /** Stops the hooks of the stop, and their orphans. */
    void stopHooks() {
        stop(state.processes().hooks(ProcessSpec.Phase.ON_STOP), false);
    }

    private void stop(Collection<SupervisedProcess> ending, boolean isAbrupt) {
        Set<Long> ids = ending.stream()
                .filter(SupervisedProcess::wasStarted)
                .map(SupervisedProcess::processId)
                .collect(Collectors.toUnmodifiableSet());
        if (!ids.isEmpty()) {
            order(new StopOrder(ids, isAbrupt), state.times().graceLeft(state.now()));
        }
    }

    /** Stops all remaining processes. */
    void stopRest() {
        state.times().resetGrace();
        boolean isAnythingNew = !hasStoppedAll
                || state.processes().hooks(ProcessSpec.Phase.EPILOG).stream().anyMatch(SupervisedProcess::wasStarted);
        if (isAnythingNew && state.processes().all().stream().anyMatch(SupervisedProcess::wasStarted)) {
            order(new StopOrder(Set.of(), false), state.times().grace());
        }
    }

    private void order(StopOrder order, Duration grace) {
        if (isLost) {
            return;
        }
        List<SupervisedProcess> meant = state.processes().all().stream()
                .filter(process -> covers(order, process))
                .toList();
        if (meant.stream().anyMatch(process -> process.spec().hosted().isPresent())) {
            state.effects().markStop();
        }
        meant.forEach(process -> process.markSignalled(state.now()));
        pending.put(state.effects().stop(order.only, isGraceEnded ? Duration.ZERO : grace), order);
    }

    private static boolean covers(StopOrder order, SupervisedProcess process) {
        return process.isRunning() && (order.only.isEmpty() || order.only.contains(process.processId()));
    }

    /** Ends the grace period, also for later stop orders. */
    void endGrace() {
        isGraceEnded = true;
        repeatOrders(Duration.ZERO);
    }

    /** The grace has changed: it starts again for all that is being stopped. */
    void restartGrace() {
        repeatOrders(state.times().grace());
    }

    private void repeatOrders(Duration grace) {
        List<StopOrder> orders = List.copyOf(pending.values());
        pending.clear();
        orders.forEach(order -> order(order, grace));
    }

    /** Whether the native supervisor is gone: nothing can be started or stopped any more. */
    boolean isLost() {
        return isLost;
    }

    boolean isGraceEnded() {
        return isGraceEnded;
    }

    /** Whether all stop orders are complete. */
    boolean isDone() {
        return pending.isEmpty();
    }

    // --- events of the native supervisor

    void handle(SupervisorEvent event) {
        if (event instanceof SupervisorEvent.Stopped stopped) {
            pending.remove(stopped.sequence());
        } else if (event instanceof SupervisorEvent.LeftBehind left) {
            onLeftBehind(left);
        } else if (event instanceof SupervisorEvent.Killing killing) {
            onKilling(killing);
        } else if (event instanceof SupervisorEvent.StillRunning left) {
            onStillRunning(left);
        } else if (event instanceof SupervisorEvent.HostedRanksEnded ended) {
            hosted.onEnded(ended.id());
        } else if (event instanceof SupervisorEvent.Lost) {
            // Outer stops the ranks in its place, and sends no events.
            isLost = true;
            pending.clear();
        }
    }

    /** Events come one by one. The user sees one line for all kills of the same moment. */
    private void onKilling(SupervisorEvent.Killing killing) {
        StopOrder order = pending.get(killing.sequence());
        if (order != null) {
            isAbrupt = order.isAbrupt;
            state.processes()
                    .findStarted(killing.id())
                    // The event of a process's end may be handled before this one.
                    .filter(process -> process.isRunning() || process.endedBySigkill())
                    .ifPresent(process -> killed.put(process, killing.count()));
        }
    }

    /** Acts on the events of the supervisor. */
    void advance() {
        reportKilled();
        hosted.update();
    }

    private void reportKilled() {
        List<ProcessSpec> leaders = new ArrayList<>();
        String when = isAbrupt ? "" : " after the grace period";
        killed.forEach((process, count) -> {
            if (process.spec().hosted().isPresent()) {
                state.say("SIGKILL to " + count + (count == 1 ? " process" : " processes") + " under "
                        + ProcessNames.of(process.spec()) + when);
            } else {
                leaders.add(process.spec());
            }
        });
        if (!leaders.isEmpty()) {
            state.say("SIGKILL to " + ProcessNames.count(leaders) + when + ": " + ProcessNames.list(leaders));
        }
        killed.clear();
    }

    private void onLeftBehind(SupervisorEvent.LeftBehind left) {
        if (++leftBehind > MOST_TOLD) {
            if (leftBehind == MOST_TOLD + 1) {
                state.say("more processes were left behind; stopping these, too");
            }
            return;
        }
        Optional<SupervisedProcess> owner = state.processes().findStarted(left.owner());
        String who = owner.map(process -> ProcessNames.of(process.spec()) + " (pid " + process.pid() + ")")
                .orElse("a process of this job");
        String what = "process " + left.pid() + " (" + left.name() + ")";
        boolean isOwnerRunning = owner.filter(SupervisedProcess::isRunning).isPresent();
        state.say(
                isOwnerRunning ? "SIGTERM to " + what + " of " + who : who + " left " + what + " behind; stopping it");
    }

    private void onStillRunning(SupervisorEvent.StillRunning left) {
        state.say("some processes are still there " + Durations.format(UNKILLABLE)
                + " after SIGKILL (they hang in the kernel): process " + left.pid() + " (" + left.name()
                + "); not waiting for them");
        pending.remove(left.sequence());
    }
}
