package dev.muster.spi;

import java.util.List;
import java.util.OptionalInt;

/**
 * Which accelerators of this node the job uses. The runtime has already combined options, variables, the platform and device files: no
 * number here is larger than the number of {@code usable} cards, if that is known.
 *
 * @param count how many; empty when neither an option nor the platform says so
 * @param ids the ids of {@code --card-ids} in the order given; empty without that option
 * @param origin where the choice came from, for messages; {@code default} when there is none
 * @param isGiven whether the user, not the platform, made the choice
 * @param usable the cards that processes may use: the names in a variable such as {@code CUDA_VISIBLE_DEVICES}, else the numbers of
 *     the device files; empty: none, or unknown, or the engine owns no such variable
 * @since 0.1
 */
@Stability(stable = true)
public record CardChoice(OptionalInt count, List<Integer> ids, String origin, boolean isGiven, List<String> usable) {

    /** Neither the user nor the platform made a choice. */
    public static final CardChoice NONE = new CardChoice(OptionalInt.empty(), List.of(), "default", false, List.of());

    public CardChoice {
        ids = List.copyOf(ids);
        usable = List.copyOf(usable);
    }
}
