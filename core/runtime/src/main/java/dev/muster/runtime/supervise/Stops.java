package dev.muster.runtime.supervise;

import dev.muster.runtime.process.ProcessSupervisor.SignalScope;
import dev.muster.runtime.process.SignalNames;
import dev.muster.runtime.report.ProcessNames;
import dev.muster.runtime.text.Durations;
import dev.muster.spi.ProcessSpec;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;

/** Orders the supervisor to stop processes, and hears how that goes. Only the event loop touches it. */
final class Stops {

    private static final Duration UNKILLABLE = Duration.ofSeconds(10);

    private final Effects effects;
    private final Events clock;
    private final StopTimes times;
    private final Roster roster;
    /** Orders that are not carried out yet, by their numbers. */
    private final Map<Long, Order> pending = new HashMap<>();

    /** Who is being killed, with how many processes there are of it, and nobody has been told of. */
    private final Map<Supervised, Integer> killed = new LinkedHashMap<>();

    private boolean isAbrupt;
    private List<Supervised> sooner = List.of();
    private OptionalLong soonerAt = OptionalLong.empty();
    /** Whether all that there was has been told to end. */
    private boolean areAllMeant;

    private boolean isHurried;
    private boolean isLost;

    /** @param isAbrupt whether they get nothing but SIGKILL, and not because a grace period is over */
    private record Order(Set<Long> only, Set<Long> keep, boolean isAbrupt) {}

    @Inject
    Stops(Roster roster, StopTimes times, Effects effects, Events clock) {
        this.roster = roster;
        this.times = times;
        this.effects = effects;
        this.clock = clock;
    }

    /** Stops the tasks and the steps before them; where there are no services, also what nobody is known to have started. */
    void beginTasks() {
        beginTasks(times.rest(clock.now()), false);
    }

    /** Ends the tasks by SIGKILL alone, so that none of them begins to save anything. */
    void killTasks() {
        isHurried = true;
        beginTasks(Duration.ZERO, true);
    }

    /**
     * As {@link #beginTasks()}, with other times.
     *
     * @param grace between TERM and KILL
     * @param first who is killed before
     * @param after how long after TERM
     */
    void beginTasks(Duration grace, List<Supervised> first, Duration after) {
        sooner = first;
        soonerAt = OptionalLong.of(clock.now() + after.toNanos());
        beginTasks(grace, false);
    }

    private void beginTasks(Duration grace, boolean isAbrupt) {
        List<Supervised> ending = new ArrayList<>(roster.tasks());
        ending.addAll(roster.steps(ProcessSpec.Phase.PROLOG));
        // Their ranks are the job's as those of tasks are; one that is kept goes on without them.
        roster.hosts().stream()
                .filter(host -> !roster.tasks().contains(host))
                .filter(host -> !endRanksOfKept(host, SignalNames.TERM))
                .forEach(ending::add);
        boolean isNobodyElse = roster.services().isEmpty()
                && roster.steps(ProcessSpec.Phase.ON_STOP).isEmpty();
        areAllMeant = isNobodyElse && ending.stream().anyMatch(Supervised::wasStarted);
        if (areAllMeant) {
            order(new Order(Set.of(), Set.of(), isAbrupt), grace);
        } else {
            begin(ending, isAbrupt, grace);
        }
    }

    /** Whether it is a service that is kept for the next attempt: then its ranks get a signal. */
    private boolean endRanksOfKept(Supervised host, int signal) {
        boolean isKept = host.isRunning() && effects.isKept(host.spec());
        if (isKept) {
            effects.signal(host.processId(), signal, SignalScope.RANKS);
        }
        return isKept;
    }

    /** Stops the steps that told others, and what they have left. */
    void beginTelling() {
        begin(roster.steps(ProcessSpec.Phase.ON_STOP), false, times.rest(clock.now()));
    }

    private void begin(Collection<Supervised> ending, boolean isAbrupt, Duration grace) {
        Set<Long> ids = ids(ending);
        if (!ids.isEmpty()) {
            order(new Order(ids, Set.of(), isAbrupt), grace);
        }
    }

    /**
     * Stops all that is left.
     *
     * @param mayBeFollowed whether services that are kept go on
     */
    void beginServices(boolean mayBeFollowed) {
        times.countAnew();
        List<Supervised> staying = roster.services().stream()
                .filter(Supervised::isRunning)
                .filter(service -> mayBeFollowed && effects.isKept(service.spec()))
                .toList();
        staying.stream().filter(roster.hosts()::contains).forEach(host -> endRanksOfKept(host, SignalNames.KILL));
        boolean isAnythingNew =
                !areAllMeant || roster.steps(ProcessSpec.Phase.EPILOG).stream().anyMatch(Supervised::wasStarted);
        if (isAnythingNew && roster.all().stream().anyMatch(Supervised::wasStarted)) {
            order(new Order(Set.of(), ids(staying), false), times.grace());
        }
    }

    private static Set<Long> ids(Collection<Supervised> processes) {
        return processes.stream()
                .filter(Supervised::wasStarted)
                .map(Supervised::processId)
                .collect(Collectors.toUnmodifiableSet());
    }

    private void order(Order order, Duration grace) {
        if (isLost) {
            return;
        }
        List<Supervised> meant =
                roster.all().stream().filter(process -> isMeant(order, process)).toList();
        if (meant.stream().anyMatch(process -> process.spec().hosted().isPresent())) {
            effects.stopBegins();
        }
        meant.forEach(process -> process.signalled(clock.now()));
        pending.put(effects.stop(order.only, order.keep, isHurried ? Duration.ZERO : grace), order);
    }

    private static boolean isMeant(Order order, Supervised process) {
        return process.isRunning()
                && (order.only.isEmpty() || order.only.contains(process.processId()))
                && !order.keep.contains(process.processId());
    }

    /** Ends the grace period, also of what is only going to be stopped. */
    void hurry() {
        isHurried = true;
        repeat(Duration.ZERO);
    }

    /** All that is being stopped has the grace of now, from now on. */
    void putOff() {
        repeat(times.grace());
    }

    private void repeat(Duration grace) {
        List<Order> orders = List.copyOf(pending.values());
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

    /** Kills those who have less time than the others, when it is over, and tells who has been killed. */
    void advance() {
        tellOfKilled();
        if (soonerAt.isPresent() && clock.now() >= soonerAt.getAsLong()) {
            soonerAt = OptionalLong.empty();
            List<Supervised> left =
                    sooner.stream().filter(Supervised::isRunning).toList();
            if (!left.isEmpty()) {
                effects.say("SIGKILL to what has a fault: " + ProcessNames.list(specs(left)));
                effects.stop(ids(left), Set.of(), Duration.ZERO);
            }
        }
    }

    /** When {@link #advance} must be called again even if nothing happens. */
    OptionalLong nextLook() {
        return soonerAt;
    }

    /** Whether nothing is being stopped any more. */
    boolean areDone() {
        return pending.isEmpty();
    }

    // --- what the supervisor says

    void heard(Event.OfSupervisor event) {
        if (event instanceof Event.Stopped stopped) {
            pending.remove(stopped.sequence());
        } else if (event instanceof Event.LeftBehind left) {
            leftBehind(left);
        } else if (event instanceof Event.Killing killing) {
            killing(killing);
        } else if (event instanceof Event.Remains left) {
            remains(left);
        } else if (event instanceof Event.Lost) {
            // Whoever takes its place tells nothing.
            isLost = true;
            pending.clear();
        }
    }

    /** One by one; the user hears of those together that are killed at the same moment. */
    private void killing(Event.Killing killing) {
        Order order = pending.get(killing.sequence());
        if (order != null) {
            isAbrupt = order.isAbrupt;
            killing.ids().stream()
                    .flatMap(id -> roster.findStarted(id).stream())
                    // What it told later of an end may be heard before.
                    .filter(process -> process.isRunning() || process.endedBySigkill())
                    .forEach(process -> killed.put(process, killing.count()));
        }
    }

    private void tellOfKilled() {
        List<ProcessSpec> leaders = new ArrayList<>();
        String when = isAbrupt ? "" : " after the grace period";
        killed.forEach((process, count) -> {
            if (process.spec().hosted().isPresent()) {
                effects.say("SIGKILL to " + count + (count == 1 ? " process" : " processes") + " under "
                        + ProcessNames.of(process.spec()) + when);
            } else {
                leaders.add(process.spec());
            }
        });
        if (!leaders.isEmpty()) {
            effects.say("SIGKILL to " + ProcessNames.count(leaders) + when + ": " + ProcessNames.list(leaders));
        }
        killed.clear();
    }

    private static List<ProcessSpec> specs(List<Supervised> processes) {
        return processes.stream().map(Supervised::spec).toList();
    }

    private void leftBehind(Event.LeftBehind left) {
        String owner = roster.findStarted(left.owner())
                .map(process -> ProcessNames.of(process.spec()) + " (pid " + process.pid() + ")")
                .orElse("a process of this job");
        effects.say(owner + " left process " + left.pid() + " (" + left.name() + ") behind; stopping it");
    }

    private void remains(Event.Remains left) {
        effects.say("some processes are still there " + Durations.format(UNKILLABLE)
                + " after SIGKILL (they hang in the kernel): process " + left.pid() + " (" + left.name()
                + "); not waiting for them");
        pending.remove(left.sequence());
    }
}
