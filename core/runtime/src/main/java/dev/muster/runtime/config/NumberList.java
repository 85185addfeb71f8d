package dev.muster.runtime.config;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.IntStream;

/** Lists of numbers as users write them: {@code 0-2,4}. */
public final class NumberList {

    /** What a list of ranks looks like, for messages. */
    public static final String RANKS = "a list of ranks such as 0,8-15";

    /** What a list of cards looks like, for messages. */
    static final String CARDS = "a list of different card ids such as 0-2,4";

    private static final int HIGHEST_RANK = 999_999;

    private record Range(int first, int last) {}

    private NumberList() {}

    /** The ids of cards in the order given, if the text is such a list and names no card twice. */
    public static Optional<List<Integer>> cards(String text) {
        return ranges(text, OptionTable.MOST_CARDS - 1)
                .map(ranges -> ranges.stream()
                        .flatMapToInt(range -> IntStream.rangeClosed(range.first, range.last))
                        // A longer list has a card twice.
                        .limit(OptionTable.MOST_CARDS + 1)
                        .boxed()
                        .toList())
                .filter(ids -> ids.stream().distinct().count() == ids.size());
    }

    /** The ranks, if the text is such a list. */
    public static Optional<BitSet> ranks(String text) {
        BitSet ranks = new BitSet();
        return ranges(text, HIGHEST_RANK).map(ranges -> {
            ranges.forEach(range -> ranks.set(range.first, range.last + 1));
            return ranks;
        });
    }

    private static Optional<List<Range>> ranges(String text, int highest) {
        List<Range> ranges = new ArrayList<>();
        for (String part : text.split(",", -1)) {
            int dash = part.indexOf('-');
            OptionalInt first = WholeNumber.parse(dash < 0 ? part : part.substring(0, dash), 0, highest);
            OptionalInt last = dash < 0 ? first : WholeNumber.parse(part.substring(dash + 1), 0, highest);
            if (first.isEmpty() || last.isEmpty() || last.getAsInt() < first.getAsInt()) {
                return Optional.empty();
            }
            ranges.add(new Range(first.getAsInt(), last.getAsInt()));
        }
        return Optional.of(ranges);
    }
}
