package dev.muster.engine.ascend;

import dev.muster.spi.CardChoice;
import dev.muster.spi.EnvironmentChange;
import dev.muster.spi.Input;
import dev.muster.spi.InputValue;
import dev.muster.spi.Node;
import dev.muster.spi.Note;
import dev.muster.spi.OptionValue;
import dev.muster.spi.PlanException;
import dev.muster.spi.PlanRequest;
import dev.muster.spi.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;

/** A server without platform and rank table. The user chooses its cards, and the table is made for these. */
final class BareServer {

    private static final String DEVICE_FILE_PREFIX = "davinci";

    static final Input ADDRESSES = new Input.TextFile("hccn.conf", "/etc/hccn.conf");
    static final Input DEVICE_FILES = new Input.Listing("davinci", "/dev", DEVICE_FILE_PREFIX);

    /** Which cards the processes of a server may use; they number these from 0. */
    static final String VISIBLE_CARDS_VARIABLE = "ASCEND_RT_VISIBLE_DEVICES";

    private static final String GIVE_TABLE = "Give a table with --rank-table FILE";
    private static final String GIVE_ADDRESSES =
            GIVE_TABLE + ", or have a line address_<card id>=<IP address> for each of them in /etc/hccn.conf";

    private final PlanRequest request;
    private final Node node;
    private final SortedMap<Integer, String> addresses;
    private final List<Integer> visible;

    private BareServer(PlanRequest request) throws PlanException {
        this.request = request;
        this.node = request.node();
        this.addresses = CardAddresses.read(request.input(ADDRESSES.id(), InputValue.Text.class));
        this.visible = visibleCards(request.job().variable(VISIBLE_CARDS_VARIABLE));
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
        return NodeAssignment.alone(visibility(cards), "no rank table and no address of a card", node);
    }

    private NodeAssignment shareOf(List<Integer> cards) {
        List<String> own = ServerPlace.addresses(node.machine());
        String serverId = own.isEmpty() ? node.machine().hostName() : own.get(0);
        RankTableBuilder table = new RankTableBuilder();
        List<Integer> ranks = new ArrayList<>();
        for (Integer card : cards) {
            table.add(serverId, card.toString(), Optional.ofNullable(addresses.get(card)), ranks.size());
            ranks.add(ranks.size());
        }
        TableForRanks handed =
                TableForRanks.written(table.text(), request.job().places().tableDirectory(), List.of());
        Map<String, Value> set = new TreeMap<>(visibility(cards));
        set.put(Ranks.TABLE_VARIABLE, handed.path());
        Note note = Note.info("no rank table: made one for cards " + Messages.ranges(cards) + " of this server ("
                + serverId + ") from /etc/hccn.conf");
        return new NodeAssignment(
                ranks,
                ranks.size(),
                handed.toWrite(),
                EnvironmentChange.of(set, List.of()),
                ServerPlace.only(node),
                List.of(note));
    }

    /** Ascending, as CANN numbers them. */
    private List<Integer> chosenCards() throws PlanException {
        CardChoice choice = node.cards();
        if (!choice.ids().isEmpty()) {
            return List.copyOf(new TreeSet<>(choice.ids()));
        }
        List<Integer> present = visible.isEmpty() ? cardsWithDeviceFile() : List.copyOf(new TreeSet<>(visible));
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

    private List<Integer> cardsWithDeviceFile() {
        Optional<InputValue.Text> files = request.input(DEVICE_FILES.id(), InputValue.Text.class);
        // Beside the cards there are files such as davinci_manager.
        return files.stream()
                .flatMap(names -> names.content().lines())
                .filter(name -> name.startsWith(DEVICE_FILE_PREFIX))
                .map(name ->
                        WholeNumber.parse(name.substring(DEVICE_FILE_PREFIX.length()), CardRules.HIGHEST_DEVICE_ID))
                .filter(card -> card != WholeNumber.NONE)
                .sorted()
                .toList();
    }

    /** A process numbers the cards that it sees from 0: unless the chosen ones are the first, it must see no others. */
    private Map<String, Value> visibility(List<Integer> cards) {
        List<Integer> seen =
                visible.isEmpty() ? IntStream.range(0, cards.size()).boxed().toList() : visible;
        boolean areFirst = cards.size() <= seen.size() && cards.equals(seen.subList(0, cards.size()));
        String ids = String.join(",", cards.stream().map(String::valueOf).toList());
        return areFirst ? Map.of() : Map.of(VISIBLE_CARDS_VARIABLE, Value.of(ids));
    }

    private static List<Integer> visibleCards(Optional<OptionValue> variable) throws PlanException {
        List<Integer> cards = new ArrayList<>();
        for (String text : variable.isPresent() ? variable.get().value().split(",", -1) : new String[0]) {
            int card = WholeNumber.parse(text.strip(), CardRules.HIGHEST_DEVICE_ID);
            if (card == WholeNumber.NONE || cards.contains(card)) {
                throw refusal(
                        VISIBLE_CARDS_VARIABLE + "="
                                + Messages.quote(variable.get().value()) + " is not a list of different card ids",
                        "Write it as 0,1,2 or unset it");
            }
            cards.add(card);
        }
        return cards;
    }

    private static PlanException refusal(String problem, String fix) {
        return PlanException.configuration(problem + ". " + fix);
    }
}
