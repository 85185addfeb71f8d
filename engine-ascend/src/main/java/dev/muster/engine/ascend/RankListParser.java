package dev.muster.engine.ascend;

import dev.muster.spi.InputValue;
import dev.muster.spi.PlanException;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;

/** Tables with {@code rank_list}, version 2.0: a list of ranks with their networks. It does not tell which ranks share a server. */
final class RankListParser {

    private static final String VERSION = "2.0";

    private RankListParser() {}

    static RankTable read(InputValue.Json source) throws PlanException {
        JsonView table = JsonView.of(source);
        requireVersion(table);
        List<JsonView> listed = table.list("rank_list");
        table.requireCount("rank_count", listed.size(), "ranks");
        CardRules rules = new CardRules();
        SortedMap<Integer, Integer> cards = new TreeMap<>();
        for (JsonView rank : listed) {
            int number = rules.rank(rank);
            if (rank.has("device_id")) {
                cards.put(number, rank.number("device_id", CardRules.HIGHEST_DEVICE_ID));
            }
        }
        rules.requireAllRanks(table.child("rank_list"));
        List<Integer> ranks = IntStream.range(0, listed.size()).boxed().toList();
        List<Integer> known = cards.size() == ranks.size() ? List.copyOf(cards.values()) : List.of();
        TableNode all = new TableNode(RankTableFormat.LEVEL_LIST.nodeWord, "0", List.of(), ranks, known);
        return new RankTable(source, RankTableFormat.LEVEL_LIST, List.of(all), Optional.empty(), List.of());
    }

    private static void requireVersion(JsonView table) throws PlanException {
        String version = table.optionalText("version").orElse(VERSION);
        if (!version.equals(VERSION)) {
            throw table.child("version")
                    .refusal(
                            "version " + Messages.quote(version) + " is unknown for a table with rank_list",
                            "Known is \"" + VERSION + "\"");
        }
    }
}
