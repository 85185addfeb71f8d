package dev.muster.engine.ascend;

import dev.muster.spi.PlanException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What every family that lists devices by server demands of them. Reads one device after the other. */
final class CardRules {

    /** The highest physical id of a card that is believed. */
    static final int HIGHEST_DEVICE_ID = 65535;

    static final String ID = "device_id";
    static final String ADDRESS = "device_ip";

    private final Map<String, ServerCards> servers;
    private String lastServer = "";
    private @Nullable ServerCards lastCards;
    private final UniqueNumbers usualAddresses = new UniqueNumbers();
    private final Unique otherAddresses = new Unique(ADDRESS, "");
    private @Nullable JsonView withoutAddress;

    /** @param servers how many will come, as far as known */
    CardRules(int servers) {
        this.servers = new HashMap<>(2 * servers);
    }

    /** Reads a device of a server: its physical id, and its address where the table has one. */
    Card read(String serverId, JsonView device) throws PlanException {
        int id = device.number(ID, HIGHEST_DEVICE_ID);
        if (!cardsOf(serverId).add(id, device.array())) {
            throw appearsTwice(serverId, id, device);
        }
        Optional<String> address = device.optionalText(ADDRESS);
        if (address.isPresent() && !address.get().isEmpty()) {
            addAddresses(address.get(), device);
        } else if (withoutAddress == null) {
            withoutAddress = device;
        }
        return new Card(device.text(ID), address);
    }

    /** The same of a device that is of the usual kind, as it stands in its file. */
    void read(String serverId, PlainDevices device) throws PlanException {
        if (!cardsOf(serverId).add(device.id(), device.array())) {
            throw appearsTwice(serverId, device.id(), device.view());
        }
        Optional<JsonView> first = usualAddresses.add(device.address(), device.array(), device.index());
        if (first.isPresent()) {
            JsonView view = device.view();
            throw Unique.refusal(ADDRESS, view.text(ADDRESS), "", view, first.get());
        }
    }

    private PlanException appearsTwice(String serverId, int id, JsonView device) throws PlanException {
        return Unique.refusal(
                ID,
                Integer.toString(id),
                " on server " + Messages.quote(serverId),
                device,
                cardsOf(serverId).first(ID, id, HIGHEST_DEVICE_ID));
    }

    /** Refuses devices without an address where several servers have devices: ranks would not reach each other. */
    void requireAddressesBetweenServers() throws PlanException {
        if (servers.size() > 1) {
            requireAddresses("the job has several servers");
        }
    }

    /** Refuses devices without an address. */
    void requireAddresses(String because) throws PlanException {
        if (withoutAddress != null) {
            throw withoutAddress.refusal(
                    "device_ip is missing or empty, and " + because, "Add the address of the device's network port");
        }
    }

    /** The cards of a server come one after the other, as a rule. */
    private ServerCards cardsOf(String server) {
        ServerCards cards = lastCards;
        if (cards == null || !server.equals(lastServer)) {
            cards = servers.computeIfAbsent(server, unknown -> new ServerCards());
            lastServer = server;
            lastCards = cards;
        }
        return cards;
    }

    /** Some cards have several addresses, separated by commas, which may have spaces around them. */
    private void addAddresses(String list, JsonView device) throws PlanException {
        String rest = list;
        for (int end = rest.indexOf(','); end >= 0; end = rest.indexOf(',')) {
            addAddress(rest.substring(0, end).stripTrailing(), device);
            rest = rest.substring(end + 1).stripLeading();
        }
        addAddress(rest, device);
    }

    private void addAddress(String address, JsonView device) throws PlanException {
        long number = IpAddress.v4(address);
        if (number != IpAddress.NONE) {
            Optional<JsonView> first = usualAddresses.add(number, device);
            if (first.isPresent()) {
                throw Unique.refusal(ADDRESS, address, "", device, first.get());
            }
            return;
        }
        if (!IpAddress.matches(address)) {
            throw device.child(ADDRESS)
                    .refusal(
                            Messages.quote(address) + " is no IP address",
                            "Write the address of the device's network port, or several with commas between them");
        }
        otherAddresses.add(address, device);
    }

    /**
     * A device of a table.
     *
     * @param id its physical id, as the table writes it
     * @param address as the table writes it, perhaps empty; absent when the table does not mention it
     */
    record Card(String id, Optional<String> address) {}
}
