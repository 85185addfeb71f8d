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

/** Orders the supervisor to stop processes, and hears how that goes. Only the event loop touches it. */
final class StopCoordinator {

    private static final Duration UNKILLABLE = Duration.ofSeconds(10);

    /** Of what ranks have left behind: each may have dozens of workers. */
    private static final int MOST_TOLD = 10;

    private final AttemptState state;
    private final HostedRankTracker hosted;
    /** Orders that are not carried out yet, by their numbers. */
    private final Map<Long, StopOrder> pending = new HashMap<>();

    /** Who is being killed, with how many processes there are of it, and nobody has been told of. */
    private final Map<SupervisedProcess, Integer> killed = new LinkedHashMap<>();

    private int leftBehind;
    private boolean isAbrupt;
    /** Whether all that there was has been told to end. */
    private boolean areAllMeant;

    private boolean isHurried;
    private boolean isLost;

    /** @param isAbrupt whether they get nothing but SIGKILL, and not because a grace period is over */
    private record StopOrder(Set<Long> only, boolean isAbrupt) {}

    StopCoordinator(AttemptState state, HostedRankTracker hosted) {
        this.state = state;
        this.hosted = hosted;
    }

    /**
     * Stops the tasks and the hooks before them; where there are no services, also what nobody is known to have started. After a fault
     * of a card they get SIGKILL alone: what they would save is of no use.
     */
    void beginTasks() {
        boolean isFault = state.outcome().fault().isPresent() && !isHurried;
        if (isFault) {
            state.say("stopping " + ProcessNames.count(state.processes().running()) + ": SIGKILL at once");
            isHurried = true;
        }
        List<SupervisedProcess> ending = new ArrayList<>(state.processes().tasks());
        ending.addAll(state.processes().steps(ProcessSpec.Phase.PROLOG));
        // Their ranks are the job's as those of tasks are.
        state.processes().hosts().stream()
                .filter(host -> !state.processes().tasks().contains(host))
                .forEach(ending::add);
        boolean isNobodyElse = state.processes().services().isEmpty()
                && state.processes().steps(ProcessSpec.Phase.ON_STOP).isEmpty();
        areAllMeant = isNobodyElse && ending.stream().anyMatch(SupervisedProcess::wasStarted);
        if (areAllMeant) {
            order(new StopOrder(Set.of(), isFault), state.times().rest(state.now()));
        } else {
            begin(ending, isFault);
        }
    }

    /** Stops the hooks that told others, and what they have left. */
    void beginHooks() {
        begin(state.processes().steps(ProcessSpec.Phase.ON_STOP), false);
    }

    private void begin(Collection<SupervisedProcess> ending, boolean isAbrupt) {
        Set<Long> ids = ending.stream()
                .filter(SupervisedProcess::wasStarted)
                .map(SupervisedProcess::processId)
                .collect(Collectors.toUnmodifiableSet());
        if (!ids.isEmpty()) {
            order(new StopOrder(ids, isAbrupt), state.times().rest(state.now()));
        }
    }

    /** Stops all that is left. */
    void beginServices() {
        state.times().countAnew();
        boolean isAnythingNew = !areAllMeant
                || state.processes().steps(ProcessSpec.Phase.EPILOG).stream().anyMatch(SupervisedProcess::wasStarted);
        if (isAnythingNew && state.processes().all().stream().anyMatch(SupervisedProcess::wasStarted)) {
            order(new StopOrder(Set.of(), false), state.times().grace());
        }
    }

    private void order(StopOrder order, Duration grace) {
        if (isLost) {
            return;
        }
        List<SupervisedProcess> meant = state.processes().all().stream()
                .filter(process -> isMeant(order, process))
                .toList();
        if (meant.stream().anyMatch(process -> process.spec().hosted().isPresent())) {
            state.effects().stopBegins();
        }
        meant.forEach(process -> process.signalled(state.now()));
        pending.put(state.effects().stop(order.only, isHurried ? Duration.ZERO : grace), order);
    }

    private static boolean isMeant(StopOrder order, SupervisedProcess process) {
        return process.isRunning() && (order.only.isEmpty() || order.only.contains(process.processId()));
    }

    /** Ends the grace period, also of what is only going to be stopped. */
    void hurry() {
        isHurried = true;
        repeat(Duration.ZERO);
    }

    /** All that is being stopped has the grace of now, from now on. */
    void putOff() {
        repeat(state.times().grace());
    }

    private void repeat(Duration grace) {
        List<StopOrder> orders = List.copyOf(pending.values());
        pending.clear();
        orders.forEach(order -> order(order, grace));
    }

    /** Whether the supervisor is gone: nothing can be stopped or started any more. */
    boolean isLost() {
        return isLost;
    }

    boolean isHurried() {
        return isHurried;
    }

    /** Whether nothing is being stopped any more. */
    boolean areDone() {
        return pending.isEmpty();
    }

    // --- what the supervisor says

    void heard(SupervisorEvent event) {
        if (event instanceof SupervisorEvent.Stopped stopped) {
            pending.remove(stopped.sequence());
        } else if (event instanceof SupervisorEvent.LeftBehind left) {
            leftBehind(left);
        } else if (event instanceof SupervisorEvent.Killing killing) {
            killing(killing);
        } else if (event instanceof SupervisorEvent.StillRunning left) {
            stillRunning(left);
        } else if (event instanceof SupervisorEvent.HostedRanksEnded ended) {
            hosted.ended(ended.id());
        } else if (event instanceof SupervisorEvent.Lost) {
            // Whoever takes its place tells nothing.
            isLost = true;
            pending.clear();
        }
    }

    /** One by one; the user hears of those together that are killed at the same moment. */
    private void killing(SupervisorEvent.Killing killing) {
        StopOrder order = pending.get(killing.sequence());
        if (order != null) {
            isAbrupt = order.isAbrupt;
            state.processes()
                    .findStarted(killing.id())
                    // What it told later of an end may be heard before.
                    .filter(process -> process.isRunning() || process.endedBySigkill())
                    .ifPresent(process -> killed.put(process, killing.count()));
        }
    }

    /** Does what follows from what the supervisor has told. */
    void advance() {
        tellOfKilled();
        hosted.look();
    }

    private void tellOfKilled() {
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

    private void leftBehind(SupervisorEvent.LeftBehind left) {
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

    private void stillRunning(SupervisorEvent.StillRunning left) {
        state.say("some processes are still there " + Durations.format(UNKILLABLE)
                + " after SIGKILL (they hang in the kernel): process " + left.pid() + " (" + left.name()
                + "); not waiting for them");
        pending.remove(left.sequence());
    }
}
