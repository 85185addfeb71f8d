package dev.muster.runtime.config;

import java.util.BitSet;
import java.util.Optional;
import java.util.OptionalInt;

/** Sets of ranks as users write them: {@code 0,8-15}. */
public final class RankSet {

    /** What a set looks like, for messages. */
    public static final String FORM = "a list of ranks such as 0,8-15";

    private static final int HIGHEST = 999_999;

    private RankSet() {}

    /** The ranks, if the text is such a set. */
    public static Optional<BitSet> parse(String text) {
        BitSet ranks = new BitSet();
        for (String part : text.split(",", -1)) {
            int dash = part.indexOf('-');
            OptionalInt first = WholeNumber.parse(dash < 0 ? part : part.substring(0, dash), 0, HIGHEST);
            OptionalInt last = dash < 0 ? first : WholeNumber.parse(part.substring(dash + 1), 0, HIGHEST);
            if (first.isEmpty() || last.isEmpty() || last.getAsInt() < first.getAsInt()) {
                return Optional.empty();
            }
            ranks.set(first.getAsInt(), last.getAsInt() + 1);
        }
        return Optional.of(ranks);
    }
}
