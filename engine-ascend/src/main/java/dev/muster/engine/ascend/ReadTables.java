package dev.muster.engine.ascend;

import dev.muster.spi.InputValue;
import dev.muster.spi.PlanException;
import org.jspecify.annotations.Nullable;

/**
 * The table that was read last. One plan asks for it more than once, the plans of all nodes thousands of times, and reading it
 * takes a while.
 */
final class ReadTables {

    private volatile @Nullable RankTable last;

    /** As {@link RankTable#read}. */
    @SuppressWarnings("ReferenceEquality") // To compare two documents takes as long as to read one.
    RankTable of(InputValue.Json source) throws PlanException {
        RankTable known = last;
        if (known != null && known.source() == source) {
            return known;
        }
        RankTable table = RankTable.read(source);
        last = table;
        return table;
    }
}
