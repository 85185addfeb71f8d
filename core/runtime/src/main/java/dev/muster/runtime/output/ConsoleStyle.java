package dev.muster.runtime.output;

import java.time.Clock;
import java.util.BitSet;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * How the console shows the output of processes.
 *
 * @param ranks the ranks to show; empty: all
 * @param clock if present, console lines begin with the time, and each log has a file of times
 * @param debugged the rank that has the terminal, and does not print to the console
 * @param isFolded whether equal lines of several ranks are shown as one
 */
public record ConsoleStyle(Optional<BitSet> ranks, Optional<Clock> clock, OptionalInt debugged, boolean isFolded) {

    /** Shows all output unchanged. */
    public static final ConsoleStyle PLAIN =
            new ConsoleStyle(Optional.empty(), Optional.empty(), OptionalInt.empty(), false);

    /** Whether to show the lines of this process. A process that is not a rank is always shown. */
    boolean shows(StreamSpec spec) {
        return ranks.isEmpty()
                || spec.rank().isEmpty()
                || ranks.get().get(spec.rank().getAsInt());
    }
}
