package dev.muster.engine.ascend;

import dev.muster.spi.Host;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * A node in a rank table, on which one launcher runs: a pod or a server.
 *
 * @param word the word of the table's family for a node
 * @param name unique in the table
 * @param addresses texts that may be addresses or names of the machine, the id of its server first; empty if the table has none
 * @param ranks the ranks of its cards, in the order in which the table lists the cards
 * @param cards the physical ids of the cards, in the same order; empty if the table does not have them
 */
record TableNode(String word, String name, List<String> addresses, List<Integer> ranks, List<Integer> cards) {

    TableNode {
        addresses = List.copyOf(addresses);
        ranks = List.copyOf(ranks);
        cards = List.copyOf(cards);
    }

    /** Sorts nodes by rank, not by the order in the file: platforms number their nodes in the order of ranks. */
    static void sortByRank(List<TableNode> nodes) {
        nodes.sort((one, other) -> Integer.compare(one.lowestRank(), other.lowestRank()));
    }

    private int lowestRank() {
        return ranks.isEmpty() ? Integer.MAX_VALUE : Collections.min(ranks);
    }

    /** Whether this is the name or an address of the node. */
    boolean isAt(String nameOrAddress) {
        return name.equals(nameOrAddress) || addresses.contains(nameOrAddress);
    }

    /** An IP address of the node, if the table has one: its server's id, or another address beside it. */
    Optional<String> ipAddress() {
        return addresses.stream().filter(IpAddress::matches).findFirst();
    }

    /** An IP address of the node, else the id of its server, else its name. */
    String anyAddress() {
        return ipAddress().or(() -> addresses.stream().findFirst()).orElse(name);
    }

    /** The host of this node, for {@code plan --all-nodes}. */
    Host host() {
        return Host.of(name, addresses.stream().findFirst());
    }

    /**
     * The host of its launcher. The pod's name or the container's address come first, since the id of its server may be an address that
     * pods cannot reach.
     */
    Host ofLauncher() {
        Optional<String> last = addresses.stream()
                .filter(address -> IpAddress.matches(address) && !address.equals(name))
                .reduce((earlier, later) -> later);
        boolean isPod = !addresses.isEmpty() && !addresses.get(0).equals(name);
        return isPod || last.isEmpty()
                ? Host.of(name, last)
                : Host.of(last.get(), Optional.of(name).filter(IpAddress::matches));
    }

    /** The name of the node in messages. */
    String label() {
        return word + " " + Messages.quote(name);
    }
}
