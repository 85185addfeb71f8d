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
 * Which cards the ranks of this node see, and by which number each calls its own: CANN counts those that a process sees from 0.
 *
 * @param environment what shows them these cards alone; empty where theirs are the first that they see
 * @param numbers in the order of the ranks
 */
record VisibleCards(Map<String, Value> environment, List<Integer> numbers) {

    /** Which cards the processes of a server may use, ascending. CANN reads it up to the first space. */
    static final String VARIABLE = "ASCEND_RT_VISIBLE_DEVICES";

    VisibleCards {
        numbers = List.copyOf(numbers);
    }

    /** @param cards of the ranks, in their order, by the server's numbers */
    static VisibleCards of(PlanRequest request, List<Integer> cards) {
        List<Integer> chosen = cards.stream().sorted().toList();
        List<Integer> usable = usable(request);
        // Nobody knows all cards of the server, or a container counts them anew.
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

    /** The cards that the node may use, ascending; empty where nobody knows. */
    static List<Integer> usable(PlanRequest request) {
        return request.node().cards().usable().stream()
                .map(card -> WholeNumber.parse(card, CardRules.HIGHEST_DEVICE_ID))
                .filter(card -> card != WholeNumber.NONE)
                .sorted()
                .toList();
    }

    /** Whether ranks see the server's cards by its numbers. A platform's containers have cards of their own, counted from 0. */
    static boolean areOfServer(PlatformContract platform) {
        return platform.name().equals(PlatformContract.NONE.name())
                || platform.resourceManager().isPresent();
    }

    private static String text(List<Integer> cards) {
        return cards.stream().map(String::valueOf).collect(Collectors.joining(","));
    }
}
