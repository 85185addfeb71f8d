package dev.muster.engine.ascend;

import dev.muster.spi.InputValue;
import dev.muster.spi.PlanException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** What {@code /etc/hccn.conf} says of a server's cards: lines such as {@code address_0=10.0.0.1}. */
final class CardAddresses {

    private static final String KEY = "address_";
    private static final String CORRECT_IT =
            "Write it as address_<card id>=<IP address>, or give a table with --rank-table FILE";

    private final String file;
    private final SortedMap<Integer, Entry> entries = new TreeMap<>();

    private CardAddresses(String file) {
        this.file = file;
    }

    static CardAddresses read(Optional<InputValue.Text> text) throws PlanException {
        CardAddresses addresses =
                new CardAddresses(text.isPresent() ? text.get().path() : "");
        String[] lines = text.isPresent() ? text.get().content().split("\n", -1) : new String[0];
        for (int i = 0; i < lines.length; i++) {
            String line = lines[i].strip();
            if (line.startsWith(KEY)) {
                addresses.add(line, i + 1);
            }
        }
        return addresses;
    }

    /** The cards that the file mentions, ascending. */
    List<Integer> cards() {
        return List.copyOf(entries.keySet());
    }

    /** The addresses of those of the cards that have one. */
    Map<Integer, String> of(List<Integer> cards) throws PlanException {
        Map<Integer, String> addresses = new HashMap<>();
        List<String> seen = new ArrayList<>();
        for (Integer card : cards) {
            Entry entry = entries.get(card);
            if (entry == null || entry.address().isEmpty()) {
                continue;
            }
            if (!IpAddress.matches(entry.address())) {
                throw refusal(entry.line(), Messages.quote(entry.address()) + " is no IP address");
            }
            if (seen.contains(entry.address())) {
                throw refusal(entry.line(), "address " + entry.address() + " belongs to another card already");
            }
            seen.add(entry.address());
            addresses.put(card, entry.address());
        }
        return addresses;
    }

    private void add(String text, int line) throws PlanException {
        int equals = text.indexOf('=');
        String id = equals < 0 ? "" : text.substring(KEY.length(), equals).strip();
        int card = WholeNumber.parse(id, CardRules.HIGHEST_DEVICE_ID);
        if (card == WholeNumber.NONE) {
            throw refusal(line, Messages.quote(text) + " gives no address to a card");
        }
        if (entries.put(card, new Entry(text.substring(equals + 1).strip(), line)) != null) {
            throw refusal(line, "card " + card + " has an address already");
        }
    }

    private PlanException refusal(int line, String problem) {
        return PlanException.data(file, "line " + line, problem, CORRECT_IT);
    }

    private record Entry(String address, int line) {}
}
