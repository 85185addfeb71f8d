package dev.muster.runtime.supervise;

import dev.muster.runtime.report.ProcessNames;
import dev.muster.spi.StopMethod;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedSet;

/**
 * Ends what forerunners have left behind while the process that started them still runs. That process may wait for the very
 * remains: they hold the pipes that it reads, as those of mpirun's ranks do. Nobody is touched as long as a single forerunner
 * lives on this node, since others may need what one of them has left. Only the event loop touches it.
 */
final class Remains {

    private static final long PAUSE = Duration.ofSeconds(1).toNanos();
    /** A list of processes is not of one moment; whoever is there at two looks has stayed. */
    private static final long SECOND_LOOK = Duration.ofMillis(100).toNanos();

    private final Effects effects;
    private final Events clock;
    private final StopTimes times;
    private final List<Supervised> leaders;
    private Set<Long> seen = Set.of();
    /** When those who have got the signal are killed. */
    private final Map<Long, Long> deadlines = new HashMap<>();

    private OptionalLong nextLook = OptionalLong.empty();

    Remains(Roster roster, StopTimes times, Events clock, Effects effects) {
        this.effects = effects;
        this.clock = clock;
        this.times = times;
        this.leaders = roster.all().stream()
                .filter(process -> process.spec().stop().first().isPresent())
                .toList();
    }

    /** Goes on as far as possible. */
    void look() {
        List<Supervised> running =
                leaders.stream().filter(Supervised::isRunning).toList();
        if (running.isEmpty()) {
            nextLook = OptionalLong.empty();
        } else if (nextLook.isEmpty()) {
            nextLook = OptionalLong.of(clock.now() + PAUSE);
        } else if (clock.now() >= nextLook.getAsLong()) {
            nextLook = OptionalLong.of(clock.now() + (end(running) ? SECOND_LOOK : PAUSE));
        }
    }

    /** When {@link #look} must be called again; empty while nothing runs that has forerunners. */
    OptionalLong nextLook() {
        return nextLook;
    }

    /** Whether there are any remains. */
    private boolean end(List<Supervised> running) {
        Set<Long> now = new HashSet<>();
        for (Supervised leader : running) {
            List<Effects.Carrier> carriers = effects.carriers(variables(leader));
            if (carriers.stream().noneMatch(Effects.Carrier::isLed)) {
                tell(leader, carriers);
                carriers.forEach(carrier -> now.add(carrier.pid()));
            }
        }
        kill(now);
        seen = now;
        return !now.isEmpty();
    }

    private void tell(Supervised leader, List<Effects.Carrier> carriers) {
        List<Long> pids = new ArrayList<>();
        long deadline = clock.now() + times.grace(leader.spec()).toNanos();
        for (Effects.Carrier carrier : carriers) {
            if (seen.contains(carrier.pid()) && deadlines.putIfAbsent(carrier.pid(), deadline) == null) {
                pids.add(carrier.pid());
                effects.say(ProcessNames.of(leader.spec()) + " (pid " + leader.pid()
                        + "): its ended processes left process " + carrier.pid() + " (" + carrier.name()
                        + ") behind; stopping it");
            }
        }
        if (!pids.isEmpty()) {
            effects.signalProcesses(leader.spec().stop().signal(), pids);
            effects.signalProcesses("CONT", pids);
        }
    }

    private void kill(Set<Long> there) {
        List<Long> late = there.stream()
                .filter(pid -> deadlines.getOrDefault(pid, Long.MAX_VALUE) - clock.now() <= 0)
                .sorted()
                .toList();
        if (!late.isEmpty()) {
            effects.signalProcesses("KILL", late);
        }
    }

    private static SortedSet<String> variables(Supervised leader) {
        return leader.spec()
                .stop()
                .first()
                .map(StopMethod.Forerunners::variables)
                .orElseThrow();
    }
}
