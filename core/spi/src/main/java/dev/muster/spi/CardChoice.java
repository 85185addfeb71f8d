package dev.muster.spi;

import java.util.List;
import java.util.OptionalInt;

/**
 * Which accelerators of this node the job shall use, as options or the platform say it.
 *
 * @param count how many; empty when nobody said
 * @param ids physical card ids in the order given; empty when nobody named them
 * @param origin where the choice came from, for messages; {@code default} when there is none
 * @since 0.1
 */
@Stability(stable = true)
public record CardChoice(OptionalInt count, List<Integer> ids, String origin) {

    /** Nobody chose. */
    public static final CardChoice NONE = new CardChoice(OptionalInt.empty(), List.of(), "default");

    public CardChoice {
        ids = List.copyOf(ids);
    }
}
