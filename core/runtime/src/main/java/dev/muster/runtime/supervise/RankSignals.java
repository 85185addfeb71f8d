package dev.muster.runtime.supervise;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.LongPredicate;
import java.util.stream.Collectors;

/**
 * Which processes of the ranks that others host get TERM, and when. Each gets it once, but one that lost it on the way from its fork to
 * its program gets it again. Only the event loop touches it.
 */
final class RankSignals {

    /** Who got it when, in nanoseconds of the clock. */
    private final Map<Long, Long> signalledAt = new HashMap<>();
    /** What they were then. */
    private final Map<Long, Long> programs = new HashMap<>();

    private final LongPredicate endsByTerm;
    private boolean hasBegun;

    /**
     * @param endsByTerm whether the signal would end a process at once: whoever had got it, and has become another program since, has
     *     lost it. Whoever has not had a handler for one time.
     */
    RankSignals(LongPredicate endsByTerm) {
        this.endsByTerm = endsByTerm;
    }

    /** Somebody has got it without having been asked for here. */
    void hasGotIt(Effects.Carrier carrier, long now) {
        signalledAt.put(carrier.pid(), now);
        programs.put(carrier.pid(), carrier.program());
    }

    /** Those of the processes that are there who get the signal now. */
    List<Long> due(List<Effects.Carrier> there, long now) {
        Map<Long, Effects.Carrier> byPid =
                there.stream().collect(Collectors.toMap(Effects.Carrier::pid, Function.identity()));
        List<Long> due = new ArrayList<>();
        for (Effects.Carrier carrier : there) {
            Long last = signalledAt.get(carrier.pid());
            boolean isDue = (last == null || isAnother(carrier, last, now))
                    ? !hasBegun || !isHelper(carrier, byPid, now)
                    : now - last >= StopSignals.BIRTH
                            && carrier.program() != 0
                            && carrier.program() != programs.getOrDefault(carrier.pid(), 0L)
                            && endsByTerm.test(carrier.pid());
            if (isDue) {
                due.add(carrier.pid());
                programs.put(carrier.pid(), carrier.program());
            }
        }
        due.forEach(pid -> signalledAt.put(pid, now));
        hasBegun = true;
        return due;
    }

    /**
     * Whether a process has got the signal, and not one that had its number before.
     *
     * @param bornAt on the clock of all events
     */
    boolean haveReached(long pid, long bornAt) {
        Long at = signalledAt.get(pid);
        return at != null && bornAt - at < StopSignals.BIRTH;
    }

    /** Whether somebody else got the signal, whose number has been given away since. */
    private static boolean isAnother(Effects.Carrier carrier, long last, long now) {
        return bornAt(carrier, now) - last >= StopSignals.BIRTH;
    }

    /**
     * Whoever is started after the signal by somebody who got it helps to put things away, and is left in peace as long as that one
     * is there. Whoever is started by others, as a rank of an mpirun that was still at it, is no helper, nor who was left alone.
     */
    private boolean isHelper(Effects.Carrier carrier, Map<Long, Effects.Carrier> there, long now) {
        Effects.Carrier parent = there.get(carrier.parent());
        int generations = 0;
        while (parent != null && !signalledAt.containsKey(parent.pid()) && generations++ < there.size()) {
            parent = there.get(parent.parent());
        }
        return parent != null && !wasBeginning(parent, now);
    }

    /** A shell around a rank that was just started when it got the signal: what it starts is the rank. */
    private boolean wasBeginning(Effects.Carrier carrier, long now) {
        Long last = signalledAt.get(carrier.pid());
        return carrier.isLed() && last != null && last - bornAt(carrier, now) < StopSignals.BIRTH;
    }

    private static long bornAt(Effects.Carrier carrier, long now) {
        return now - carrier.age().toNanos();
    }
}
