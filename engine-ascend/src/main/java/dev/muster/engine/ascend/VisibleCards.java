package dev.muster.engine.ascend;

import dev.muster.spi.OptionValue;
import dev.muster.spi.PlanRequest;
import dev.muster.spi.PlatformContract;
import dev.muster.spi.Value;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The cards that the ranks of this node see, and the number that each rank uses for its card: CANN counts visible cards from 0.
 *
 * @param environment the variable that hides all other cards; empty if the ranks' cards are the first visible ones
 * @param numbers the numbers of the ranks' cards, in the order of the ranks
 */
record VisibleCards(Map<String, Value> environment, List<Integer> numbers) {

    /** The cards that the processes of a server may use, in ascending order. CANN reads it up to the first space. */
    static final String VARIABLE = "ASCEND_RT_VISIBLE_DEVICES";

    VisibleCards {
        numbers = List.copyOf(numbers);
    }

    /** @param cards the server's numbers of the ranks' cards, in the order of the ranks */
    static VisibleCards of(PlanRequest request, List<Integer> cards) {
        List<Integer> chosen = cards.stream().sorted().toList();
        List<Integer> usable = usable(request);
        // The cards of the server are unknown, or a container numbers them from 0 again.
        List<Integer> all = usable.containsAll(chosen)
                ? usable
                : IntStream.rangeClosed(0, cards.isEmpty() ? 0 : chosen.get(chosen.size() - 1))
                        .boxed()
                        .toList();
        Optional<String> variable = request.job().variable(VARIABLE).map(OptionValue::value);
        boolean areFirst = chosen.equals(all.subList(0, chosen.size()))
                && variable.map(text -> text.equals(text(all))).orElse(true);
        List<Integer> shown = variable.isPresent()
                ? chosen
                : chosen.stream().map(all::indexOf).toList();
        return new VisibleCards(
                areFirst ? Map.of() : Map.of(VARIABLE, Value.of(text(shown))),
                cards.stream().map(chosen::indexOf).toList());
    }

    /** The cards that the node may use, in ascending order; empty if unknown. */
    static List<Integer> usable(PlanRequest request) {
        return request.node().cards().usable().stream()
                .map(card -> WholeNumber.parse(card, CardRules.HIGHEST_DEVICE_ID))
                .filter(card -> card != WholeNumber.NONE)
                .sorted()
                .toList();
    }

    /** Whether ranks see the server's numbers of cards. In containers of a platform, cards count from 0. */
    static boolean areOfServer(PlatformContract platform) {
        return platform.name().equals(PlatformContract.NONE.name())
                || platform.resourceManager().isPresent();
    }

    private static String text(List<Integer> cards) {
        return cards.stream().map(String::valueOf).collect(Collectors.joining(","));
    }
}
