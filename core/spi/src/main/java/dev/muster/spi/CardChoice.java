package dev.muster.spi;

import java.util.List;
import java.util.OptionalInt;

/**
 * Which accelerators of this node the job shall use. The runtime has settled what options, variables, the platform and device files
 * say of them: no number here is larger than that of {@code usable}, where that is known.
 *
 * @param count how many; empty when neither an option nor the platform says so
 * @param ids the ids of {@code --card-ids} in the order given; empty when nobody named them
 * @param origin where the choice came from, for messages; {@code default} when there is none
 * @param isGiven whether the user chose, and not the platform
 * @param usable the cards that processes may use, as a variable such as {@code CUDA_VISIBLE_DEVICES} names them, else by the numbers of
 *     their device files; empty: none, or unknown, or the engine owns no such variable
 * @since 0.1
 */
@Stability(stable = true)
public record CardChoice(OptionalInt count, List<Integer> ids, String origin, boolean isGiven, List<String> usable) {

    /** Nobody chose. */
    public static final CardChoice NONE = new CardChoice(OptionalInt.empty(), List.of(), "default", false, List.of());

    public CardChoice {
        ids = List.copyOf(ids);
        usable = List.copyOf(usable);
    }
}
