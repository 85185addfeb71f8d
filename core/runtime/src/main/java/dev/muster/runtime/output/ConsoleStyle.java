package dev.muster.runtime.output;

import java.time.Clock;
import java.util.BitSet;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * How the console shows what processes print.
 *
 * @param ranks those that are shown; empty: all
 * @param clock where lines begin with the time, and logs have a file of times beside them
 * @param debugged the rank that has the terminal, and does not print to the console
 * @param isFolded whether equal lines of several ranks are shown as one
 */
public record ConsoleStyle(Optional<BitSet> ranks, Optional<Clock> clock, OptionalInt debugged, boolean isFolded) {

    /** All of it, as it comes. */
    public static final ConsoleStyle PLAIN =
            new ConsoleStyle(Optional.empty(), Optional.empty(), OptionalInt.empty(), false);

    /** Whether the lines of a process are to be shown; what is no rank always is. */
    boolean shows(StreamSpec spec) {
        return ranks.isEmpty()
                || spec.rank().isEmpty()
                || ranks.get().get(spec.rank().getAsInt());
    }
}
