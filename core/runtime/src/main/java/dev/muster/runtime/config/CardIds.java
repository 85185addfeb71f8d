package dev.muster.runtime.config;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** Lists of card ids as users write them: {@code 0-2,4}. */
public final class CardIds {

    /** What a list looks like, for messages. */
    static final String FORM = "a list of different card ids such as 0-2,4";

    private static final int HIGHEST = 4095;

    private CardIds() {}

    /** The ids in the order given, if the text is such a list and names no card twice. */
    public static Optional<List<Integer>> parse(String text) {
        List<Integer> ids = new ArrayList<>();
        for (String part : text.split(",", -1)) {
            int dash = part.indexOf('-');
            OptionalInt first = WholeNumber.parse(dash < 0 ? part : part.substring(0, dash), 0, HIGHEST);
            OptionalInt last = dash < 0 ? first : WholeNumber.parse(part.substring(dash + 1), 0, HIGHEST);
            if (first.isEmpty() || last.isEmpty() || last.getAsInt() < first.getAsInt()) {
                return Optional.empty();
            }
            for (int id = first.getAsInt(); id <= last.getAsInt(); id++) {
                if (ids.contains(id)) {
                    return Optional.empty();
                }
                ids.add(id);
            }
        }
        return Optional.of(ids);
    }
}
