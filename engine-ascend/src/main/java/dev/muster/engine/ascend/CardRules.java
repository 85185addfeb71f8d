package dev.muster.engine.ascend;

import dev.muster.spi.PlanException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The rules for devices and their ranks that hold in all families of tables. It reads one device after another. */
final class CardRules {

    /** The highest physical id of a card that is accepted. */
    static final int HIGHEST_DEVICE_ID = 65535;

    private static final String ID = "device_id";
    private static final String ADDRESS = "device_ip";
    private static final String RANK = "rank_id";
    private static final Pattern COMMA = Pattern.compile("\\s*,\\s*");

    /** The cards, by server. */
    private final Map<String, Unique> servers = new HashMap<>();

    private final Unique addresses = new Unique(ADDRESS, "");
    private final Unique ranks = new Unique(RANK, "");
    private int highestRank = -1;
    private String firstAddress = "";
    private @Nullable JsonView withoutAddress;

    /** Reads a device of a server: its physical id, and its address if the table has one. */
    Card card(String serverId, JsonView device) throws PlanException {
        int id = device.number(ID, HIGHEST_DEVICE_ID);
        servers.computeIfAbsent(serverId, server -> new Unique(ID, " on server " + Messages.quote(server)))
                .add(id, device);
        Optional<String> address = device.optionalText(ADDRESS);
        if (address.isPresent() && !address.get().isEmpty()) {
            addAddresses(address.get(), device);
        } else if (withoutAddress == null) {
            withoutAddress = device;
        }
        return new Card(id, device.text(ID), address);
    }

    /** Reads the rank of a device from a table that has ranks. */
    int rank(JsonView holder) throws PlanException {
        int rank = holder.number(RANK, RankTable.MOST_CARDS - 1);
        ranks.add(rank, holder);
        highestRank = Math.max(highestRank, rank);
        return rank;
    }

    /** Refuses ranks that are not 0 to n-1. Called when all ranks are read. */
    void requireAllRanks(JsonView list) throws PlanException {
        if (highestRank < ranks.size()) {
            return;
        }
        int missing = 0;
        while (ranks.has(missing)) {
            missing++;
        }
        throw list.refusal("rank_id " + missing + " is missing though " + highestRank + " is there; " + ranks.size()
                + " devices need the rank ids 0.." + (ranks.size() - 1));
    }

    /** Refuses devices without an address if several servers have devices: ranks could not reach each other. */
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

    /** Some cards have several addresses, separated by commas. Spaces may stand around the commas. */
    private void addAddresses(String list, JsonView device) throws PlanException {
        for (String address : list.contains(",") ? COMMA.split(list, -1) : new String[] {list}) {
            if (!IpAddress.matches(address)) {
                throw device.child(ADDRESS)
                        .refusal(
                                Messages.quote(address) + " is no IP address",
                                "Write the address of the device's network port, or several with commas between them");
            }
            requireFamily(address, device);
            addresses.add(address, device);
        }
    }

    /** HCCL demands addresses of one family, IPv4 or IPv6. */
    private void requireFamily(String address, JsonView device) throws PlanException {
        if (firstAddress.isEmpty()) {
            firstAddress = address;
        }
        if (firstAddress.contains(":") != address.contains(":")) {
            throw device.child(ADDRESS)
                    .refusal(
                            Messages.quote(address) + " is of another IP family than " + firstAddress,
                            "Give all devices IPv4 addresses, or all IPv6 addresses");
        }
    }

    /**
     * A device of a table.
     *
     * @param number its physical id
     * @param id the physical id as the table writes it
     * @param address as the table writes it, perhaps empty; absent when the table has no address
     */
    record Card(int number, String id, Optional<String> address) {}
}
