package dev.muster.runtime.supervise;

import dev.muster.runtime.report.ProcessNames;
import dev.muster.runtime.text.Durations;
import dev.muster.spi.ProcessSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The time that ranks have to save what they have before they get TERM, where the user has named a signal for that: they get it when
 * the job is stopped. Only the event loop touches it.
 */
final class Checkpoint {

    /** Before KILL, for what a program does at TERM. At most half of the grace. */
    private static final Duration FOR_TERM = Duration.ofSeconds(15);

    private static final long LOOK = Duration.ofMillis(100).toNanos();

    private final StopTimes times;
    private final Roster roster;
    private final RankWatch ranks;
    private final Effects effects;
    private final Events clock;
    /** Which hosted ranks have got the signal. */
    private final Set<Long> told = new HashSet<>();

    private boolean isBegun;
    private long since;
    private long nextSearch;
    /** Whether a process runs that hosts ranks, and whether one of these does. */
    private boolean isHost;

    private boolean isAnyHosted;

    Checkpoint(StopTimes times, Roster roster, RankWatch ranks, Effects effects, Events clock) {
        this.times = times;
        this.roster = roster;
        this.ranks = ranks;
        this.effects = effects;
        this.clock = clock;
    }

    /** Whether it lasts; begins when it is first asked for after a stop. */
    boolean isOn(Ending ending) {
        if (times.checkpointSignal().isEmpty() || !ending.isAskedFor()) {
            return false;
        }
        if (!isBegun) {
            begin();
        }
        return clock.now() < end() && isAnyoneLeft();
    }

    /** When {@link #isOn} must be asked again even if nothing happens. */
    OptionalLong nextLook() {
        return !isBegun ? OptionalLong.empty() : OptionalLong.of(isHost ? Math.min(end(), nextSearch) : end());
    }

    /** The grace has changed, and counts from now. */
    void putOff() {
        if (isBegun) {
            countFromNow();
        }
    }

    private void countFromNow() {
        since = clock.now();
        times.countFrom(since);
    }

    /** When ranks get TERM. */
    private long end() {
        long grace = times.grace().toNanos();
        return since + Math.max(grace - FOR_TERM.toNanos(), grace / 2);
    }

    private void begin() {
        isBegun = true;
        countFromNow();
        List<Long> pids = new ArrayList<>();
        List<ProcessSpec> ofPlan = new ArrayList<>();
        for (Supervised task : roster.tasks()) {
            if (task.isRunning()) {
                // Whoever has no handler for it dies of it, which is what was asked for.
                task.signalled(clock.now());
                if (task.spec().hosted().isEmpty()) {
                    ofPlan.add(task.spec());
                    pids.add(task.pid());
                }
            }
        }
        List<Long> hosted = search();
        told.addAll(hosted);
        pids.addAll(hosted);
        if (!pids.isEmpty()) {
            // Not to whole groups: a helper of a rank that knows nothing of the signal would die of it.
            effects.signalProcesses(signal(), pids);
            String ranks = ofPlan.isEmpty() ? "hosted ranks" : ProcessNames.count(ofPlan);
            effects.say("SIG" + signal() + " to " + ranks + "; SIGTERM follows in "
                    + Durations.format(Duration.ofNanos(end() - since)));
        }
    }

    private String signal() {
        return times.checkpointSignal().orElseThrow();
    }

    private boolean isAnyoneLeft() {
        if (isHost && clock.now() >= nextSearch) {
            tellLate();
        }
        return isAnyHosted || roster.tasks().stream().anyMatch(Supervised::isRunning);
    }

    /** Who hosts ranks may have been at it when the stop came. */
    private void tellLate() {
        List<Long> late = search();
        late.removeIf(pid -> !told.add(pid));
        if (!late.isEmpty()) {
            effects.signalProcesses(signal(), late);
        }
    }

    /**
     * Ranks that processes of the plan host: what these have started, and not what that has started. Whoever has noted its start may be a
     * shell that only waits for the rank: then that is meant, too.
     */
    private List<Long> search() {
        Set<Long> pids = new TreeSet<>();
        Set<Long> noted = ranks.thereNow().stream().map(RankNotes.Started::pid).collect(Collectors.toSet());
        List<Supervised> hosts = ranks.hosts();
        for (Supervised host : hosts) {
            effects.carriers(host.spec().hosted().orElseThrow().variables()).stream()
                    .filter(carrier -> carrier.isLed() || noted.contains(carrier.parent()))
                    .forEach(carrier -> pids.add(carrier.pid()));
        }
        isHost = !hosts.isEmpty();
        isAnyHosted = !pids.isEmpty();
        nextSearch = clock.now() + LOOK;
        return new ArrayList<>(pids);
    }
}
