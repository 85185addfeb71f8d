package dev.muster.runtime.supervise;

import dev.muster.spi.ProcessSpec;
import java.util.List;
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
}
