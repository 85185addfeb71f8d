package dev.muster.engine.ascend;

import dev.muster.spi.InputValue;
import dev.muster.spi.PlanException;
import org.jspecify.annotations.Nullable;

/**
 * The table that was read last. One plan asks for it more than once, the plans of all nodes thousands of times, and reading it
 * takes a while.
 */
final class ReadTables {

    private @Nullable RankTable last;

    /** As {@link RankTable#read}. Where another thread is about to read the same table, waits for that. */
    synchronized RankTable of(InputValue.Json source) throws PlanException {
        RankTable known = last;
        if (known != null && isSame(known.source(), source)) {
            return known;
        }
        RankTable table = RankTable.read(source);
        last = table;
        return table;
    }

    @SuppressWarnings("ReferenceEquality") // To compare two documents takes as long as to read one.
    private static boolean isSame(InputValue.Json one, InputValue.Json other) {
        return one.content() == other.content() && one.path().equals(other.path());
    }
}
