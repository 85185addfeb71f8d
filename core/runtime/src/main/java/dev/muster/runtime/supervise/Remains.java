package dev.muster.runtime.supervise;

import dev.muster.runtime.report.ProcessNames;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Ends what hosted ranks have left behind while the process that started them still runs. That process may wait for the very
 * remains: they hold the pipes that it reads, as those of mpirun's ranks do. Nobody is looked for as long as a single rank lives on
 * this node, since others may need what one of them has left; nor again where nobody was found. Only the event loop touches it.
 */
final class Remains {

    private static final long PAUSE = Duration.ofSeconds(1).toNanos();
    /** A list of processes is not of one moment; whoever is there at two looks has stayed. */
    private static final long SECOND_LOOK = Duration.ofMillis(100).toNanos();

    private final RankWatch ranks;
    private final Effects effects;
    private final Events clock;
    private final StopTimes times;
    private final RankSignals signals;
    private Set<Long> seen = Set.of();
    /** When those who have got the signal are killed. */
    private final Map<Long, Long> deadlines = new HashMap<>();
    /** After so many ranks nothing was left. */
    private int cleanAfter;

    private OptionalLong nextLook = OptionalLong.empty();

    /**
     * @param ranks which have ended
     * @param signals told who has got the signal: a stop is none for them
     */
    Remains(RankWatch ranks, StopTimes times, RankSignals signals, Events clock, Effects effects) {
        this.ranks = ranks;
        this.signals = signals;
        this.times = times;
        this.clock = clock;
        this.effects = effects;
    }

    /** Goes on as far as possible. */
    void look() {
        if (ranks.seen() == cleanAfter || ranks.hosts().isEmpty() || !ranks.allHaveEnded()) {
            nextLook = OptionalLong.empty();
            seen = Set.of();
        } else if (nextLook.isEmpty()) {
            nextLook = OptionalLong.of(clock.now() + PAUSE);
        } else if (clock.now() >= nextLook.getAsLong()) {
            boolean isAnyLeft = end(ranks.hosts());
            nextLook = OptionalLong.of(clock.now() + (isAnyLeft ? SECOND_LOOK : PAUSE));
            cleanAfter = isAnyLeft ? cleanAfter : ranks.seen();
        }
    }

    /** When {@link #look} must be called again; empty while there is nothing to look for. */
    OptionalLong nextLook() {
        return nextLook;
    }

    /** Whether there are any remains. */
    private boolean end(List<Supervised> running) {
        Set<Long> now = new HashSet<>();
        for (Supervised host : running) {
            List<Effects.Carrier> carriers =
                    effects.carriers(host.spec().hosted().orElseThrow().variables());
            // Led is a rank that has not told yet that it runs.
            if (carriers.stream().noneMatch(Effects.Carrier::isLed)) {
                tell(host, carriers);
            }
            carriers.forEach(carrier -> now.add(carrier.pid()));
        }
        kill(now);
        seen = now;
        return !now.isEmpty();
    }

    private void tell(Supervised host, List<Effects.Carrier> carriers) {
        List<Long> pids = new ArrayList<>();
        long deadline = clock.now() + times.grace().toNanos();
        for (Effects.Carrier carrier : carriers) {
            if (seen.contains(carrier.pid()) && deadlines.putIfAbsent(carrier.pid(), deadline) == null) {
                pids.add(carrier.pid());
                signals.hasGotIt(carrier, clock.now());
                effects.say(ProcessNames.of(host.spec()) + " (pid " + host.pid()
                        + "): its ended processes left process " + carrier.pid() + " (" + carrier.name()
                        + ") behind; stopping it");
            }
        }
        if (!pids.isEmpty()) {
            effects.signalProcesses("TERM", pids);
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
}
