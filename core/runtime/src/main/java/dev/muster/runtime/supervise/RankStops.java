package dev.muster.runtime.supervise;

import dev.muster.spi.ProcessSpec;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;

/**
 * What a stop has to know of the ranks that processes of the plan host. Only the event loop touches it.
 *
 * @param signals who has got the signal; a rank under both an mpirun and an sshd hears of the end once
 * @param watch which ranks there are
 * @param haveFailed whether a failed rank has ended the job: whoever hosts ranks knows, and shows what they still printed
 * @param areEndedElsewhere whether ranks of other nodes are ended there, by launchers
 */
record RankStops(RankSignals signals, RankWatch watch, BooleanSupplier haveFailed, boolean areEndedElsewhere) {

    /** From the fork of a shell around a rank to its note, on a busy machine too. */
    private static final Duration BIRTH = Duration.ofSeconds(1);

    /** Where a step of the plan has to tell others of a stop, no launcher does. */
    static RankStops of(Roster roster, RankSignals signals, RankWatch watch, BooleanSupplier haveFailed) {
        return new RankStops(
                signals,
                watch,
                haveFailed,
                roster.steps(ProcessSpec.Phase.ON_STOP).isEmpty());
    }

    /** The processes whose ends are those of the ranks: shells that wait for them, as a rule. */
    List<Long> shells() {
        return watch.thereNow().stream().map(RankNotes.Started::pid).toList();
    }

    /**
     * Those that may be signalled. A shell around a rank that has noted nothing yet would end by it before it can say so, and its
     * mpirun would end the ranks that have begun. It finds the note of the stop instead, and does not begin its own.
     */
    List<Effects.Carrier> heeding(List<Effects.Carrier> there) {
        if (there.stream().noneMatch(RankStops::isBeginning)) {
            return there;
        }
        Set<Long> shells = new HashSet<>(shells());
        // Where nobody notes anything there are no such shells; where nobody has yet, no rank has begun.
        return watch.seen() == 0
                ? there
                : there.stream()
                        .filter(carrier -> !isBeginning(carrier) || shells.contains(carrier.pid()))
                        .toList();
    }

    private static boolean isBeginning(Effects.Carrier carrier) {
        return carrier.isLed() && carrier.age().compareTo(BIRTH) < 0;
    }
}
