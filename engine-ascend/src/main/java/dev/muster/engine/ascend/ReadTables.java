package dev.muster.engine.ascend;

import dev.muster.spi.InputValue;
import dev.muster.spi.PlanException;
import java.lang.ref.SoftReference;

/**
 * The table that was read last. One plan asks for it more than once, the plans of all nodes thousands of times, and reading it
 * takes a while. It is given up where memory is short.
 */
final class ReadTables {

    private volatile SoftReference<RankTable> last = new SoftReference<>(null);

    /** As {@link RankTable#read}. */
    RankTable of(InputValue.Json source) throws PlanException {
        RankTable known = last.get();
        if (known != null && known.source() == source) {
            return known;
        }
        RankTable table = RankTable.read(source);
        last = new SoftReference<>(table);
        return table;
    }
}
