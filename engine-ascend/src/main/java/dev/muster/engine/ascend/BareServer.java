package dev.muster.engine.ascend;

import dev.muster.spi.CardChoice;
import dev.muster.spi.EnvironmentChange;
import dev.muster.spi.Input;
import dev.muster.spi.InputValue;
import dev.muster.spi.Node;
import dev.muster.spi.Note;
import dev.muster.spi.PlanException;
import dev.muster.spi.PlanRequest;
import dev.muster.spi.Value;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;

/** A server without platform and rank table. The user chooses its cards, and the table is made for these. */
final class BareServer {

    static final Input ADDRESSES = new Input.TextFile("hccn.conf", "/etc/hccn.conf");

    private static final String GIVE_TABLE = "Give a table with --rank-table FILE";
    private static final String GIVE_ADDRESSES =
            GIVE_TABLE + ", or have a line address_<card id>=<IP address> for each of them in /etc/hccn.conf";

    private final PlanRequest request;
    private final Node node;
    private final SortedMap<Integer, String> addresses;

    private BareServer(PlanRequest request) throws PlanException {
        this.request = request;
        this.node = request.node();
        this.addresses = CardAddresses.read(request.input(ADDRESSES.id(), InputValue.Text.class));
    }

    static NodeAssignment share(PlanRequest request) throws PlanException {
        return new BareServer(request).share();
    }

    private NodeAssignment share() throws PlanException {
        if (node.count().orElse(1) > 1) {
            throw refusal(
                    "there is no rank table, and without one the "
                            + node.count().getAsInt() + " nodes of the job do not know each other's cards",
                    GIVE_TABLE);
        }
        List<Integer> cards = chosenCards();
        List<Integer> unknown = cards.stream()
                .filter(card -> addresses.getOrDefault(card, "").isEmpty())
                .toList();
        if (unknown.isEmpty() && !cards.isEmpty()) {
            return shareOf(cards);
        }
        if (cards.size() > 1) {
            throw refusal(
                    "there is no rank table, and the addresses of cards " + Messages.ranges(unknown) + " are unknown",
                    GIVE_ADDRESSES);
        }
        // One card talks to no other. A table without its address would be wrong on some models, so it gets none.
        return NodeAssignment.alone(
                VisibleCards.of(request, cards).environment(), "no rank table and no address of a card", node);
    }

    private NodeAssignment shareOf(List<Integer> cards) {
        List<String> own = ServerPlace.addresses(node.machine());
        String serverId = own.isEmpty() ? node.machine().hostName() : own.get(0);
        List<Integer> ranks = IntStream.range(0, cards.size()).boxed().toList();
        TableForRanks handed = TableForRanks.written(
                table(serverId, cards), request.job().places().tableDirectory(), List.of());
        VisibleCards visible = VisibleCards.of(request, cards);
        Map<String, Value> set = new TreeMap<>(visible.environment());
        set.put(Ranks.TABLE_VARIABLE, handed.path());
        Note note = Note.info("no rank table: made one for cards " + Messages.ranges(cards) + " of this server ("
                + serverId + ") from /etc/hccn.conf");
        return new NodeAssignment(
                ranks,
                visible.numbers(),
                ranks.size(),
                handed.toWrite(),
                EnvironmentChange.of(set, List.of()),
                ServerPlace.only(node),
                List.of(note));
    }

    private Value table(String serverId, List<Integer> cards) {
        RankTableBuilder table = new RankTableBuilder();
        for (int rank = 0; rank < cards.size(); rank++) {
            Integer card = cards.get(rank);
            table.add(serverId, card.toString(), Optional.ofNullable(addresses.get(card)), rank);
        }
        return table.text();
    }

    /** Ascending, as CANN numbers them. */
    private List<Integer> chosenCards() throws PlanException {
        CardChoice choice = node.cards();
        if (!choice.ids().isEmpty()) {
            return List.copyOf(new TreeSet<>(choice.ids()));
        }
        List<Integer> present = VisibleCards.usable(request);
        if (choice.count().isEmpty()) {
            return present;
        }
        return first(choice.count().getAsInt(), present.isEmpty() ? List.copyOf(addresses.keySet()) : present);
    }

    private List<Integer> first(int wanted, List<Integer> known) throws PlanException {
        if (wanted <= known.size()) {
            return known.subList(0, wanted);
        }
        if (wanted == 1) {
            return List.of();
        }
        String found = known.isEmpty() ? "none is known" : "only cards " + Messages.ranges(known) + " are known";
        throw refusal(
                node.cards().origin() + " asks for " + wanted
                        + " cards, but there is no rank table, and of this server's cards " + found,
                GIVE_ADDRESSES);
    }

    private static PlanException refusal(String problem, String fix) {
        return PlanException.configuration(problem + ". " + fix);
    }
}
