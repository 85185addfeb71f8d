package dev.muster.engine.ascend;

import dev.muster.spi.InputValue;
import dev.muster.spi.PlanException;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What {@code /etc/hccn.conf} says of a server's cards: lines such as {@code address_0=10.0.0.1}. */
final class CardAddresses {

    private static final String KEY = "address_";
    private static final Pattern LINE = Pattern.compile(KEY + "([0-9]+)\\s*=\\s*(.*)");

    private CardAddresses() {}

    /** The address of each card that has a line; empty where the line has none. */
    static SortedMap<Integer, String> read(Optional<InputValue.Text> file) throws PlanException {
        SortedMap<Integer, String> addresses = new TreeMap<>();
        String[] lines = file.map(InputValue.Text::content).orElse("").split("\n", -1);
        for (int i = 0; i < lines.length; i++) {
            String line = lines[i].strip();
            String problem = line.startsWith(KEY) ? add(line, addresses) : "";
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

    /** Says what is wrong with the line; nothing: nothing. */
    private static String add(String line, SortedMap<Integer, String> addresses) {
        Matcher matcher = LINE.matcher(line);
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
}
