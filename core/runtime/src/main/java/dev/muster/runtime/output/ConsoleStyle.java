package dev.muster.runtime.output;

import java.util.BitSet;
import java.util.Optional;

/**
 * How the console shows what processes print.
 *
 * @param ranks those that are shown; empty: all
 */
public record ConsoleStyle(Optional<BitSet> ranks) {

    /** All of it, as it comes. */
    public static final ConsoleStyle PLAIN = new ConsoleStyle(Optional.empty());

    /** Whether the lines of a process are to be shown; what is no rank always is. */
    boolean shows(StreamSpec spec) {
        return ranks.isEmpty() || spec.rank().isEmpty() || ranks.get().get(spec.rank().getAsInt());
    }
}
