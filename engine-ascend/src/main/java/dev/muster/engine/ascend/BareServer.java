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
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/** A server without a platform and a rank table. The user chooses its cards, and the engine makes the table for them. */
final class BareServer {

    static final Input ADDRESSES = new Input.TextFile("hccn.conf", "/etc/hccn.conf");

    private static final String ADDRESS_KEY = "address_";
    private static final Pattern ADDRESS_LINE = Pattern.compile(ADDRESS_KEY + "([0-9]+)\\s*=\\s*(.*)");

    private static final String GIVE_TABLE = "Give a table with --rank-table FILE";
    private static final String GIVE_ADDRESSES =
            GIVE_TABLE + ", or have a line address_<card id>=<IP address> for each of them in /etc/hccn.conf";

    private final PlanRequest request;
    private final Node node;
    private final SortedMap<Integer, String> addresses;

    BareServer(PlanRequest request) throws PlanException {
        this.request = request;
        this.node = request.node();
        this.addresses = addresses(request.input(ADDRESSES.id(), InputValue.Text.class));
    }

    NodeAssignment assignment() throws PlanException {
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
            return assignmentOf(cards);
        }
        if (cards.size() > 1) {
            throw refusal(
                    "there is no rank table, and the addresses of cards " + Messages.ranges(unknown) + " are unknown",
                    GIVE_ADDRESSES);
        }
        // A single card needs no network. It gets no table, since a table without its address is wrong on some models.
        return NodeAssignment.alone(
                VisibleCards.of(request, cards).environment(), "no rank table and no address of a card", node);
    }

    private NodeAssignment assignmentOf(List<Integer> cards) {
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

    /** The address of each card that has a line such as {@code address_0=10.0.0.1}; empty if the line has no address. */
    private static SortedMap<Integer, String> addresses(Optional<InputValue.Text> file) throws PlanException {
        SortedMap<Integer, String> addresses = new TreeMap<>();
        String[] lines = file.map(InputValue.Text::content).orElse("").split("\n", -1);
        for (int i = 0; i < lines.length; i++) {
            String line = lines[i].strip();
            String problem = line.startsWith(ADDRESS_KEY) ? add(line, addresses) : "";
            if (!problem.isEmpty()) {
                throw PlanException.data(
                        file.orElseThrow().path(),
                        "line " + (i + 1),
                        problem,
                        "Write it as address_<card id>=<IP address>, or give a table with --rank-table FILE");
            }
        }
        return addresses;
    }

    /** Adds the address of a line. Returns what is wrong with the line; empty: nothing. */
    private static String add(String line, SortedMap<Integer, String> addresses) {
        Matcher matcher = ADDRESS_LINE.matcher(line);
        int card =
                matcher.matches() ? WholeNumber.parse(matcher.group(1), CardRules.HIGHEST_DEVICE_ID) : WholeNumber.NONE;
        if (card == WholeNumber.NONE) {
            return Messages.quote(line) + " gives no address to a card";
        }
        String address = matcher.group(2);
        if (!address.isEmpty() && !IpAddress.matches(address)) {
            return Messages.quote(address) + " is no IP address";
        }
        if (!address.isEmpty() && addresses.containsValue(address)) {
            return "address " + address + " belongs to another card already";
        }
        return addresses.put(card, address) == null ? "" : "card " + card + " has an address already";
    }

    private static PlanException refusal(String problem, String fix) {
        return PlanException.configuration(problem + ". " + fix);
    }
}
