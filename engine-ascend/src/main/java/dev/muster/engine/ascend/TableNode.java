package dev.muster.engine.ascend;

import dev.muster.spi.Host;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * What a rank table says of the place where one launcher runs: a pod or a server.
 *
 * @param word what the table's family calls it
 * @param name unique in the table
 * @param addresses by which the machine may know itself, the id of its server first; empty where the table has none
 * @param ranks of its cards, in the order in which the table lists the cards
 * @param cards the physical ids of these, in the same order; empty where the table does not tell them
 */
record TableNode(String word, String name, List<String> addresses, List<Integer> ranks, List<Integer> cards) {

    TableNode {
        addresses = List.copyOf(addresses);
        ranks = List.copyOf(ranks);
        cards = List.copyOf(cards);
    }

    /** In the order of ranks: by it the writers of tables number their nodes, whatever the order in the file. */
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

    /** An IP address under which it can be reached, where the table has one: its server's id, or what stands beside it. */
    Optional<String> ipAddress() {
        return addresses.stream().filter(IpAddress::matches).findFirst();
    }

    /** The same, else the id of its server, else its name. */
    String anyAddress() {
        return ipAddress().or(() -> addresses.stream().findFirst()).orElse(name);
    }

    /** As a node of the job that can be planned on its own. */
    Host host() {
        return Host.of(name, addresses.stream().findFirst());
    }

    /**
     * Where its launcher is: by the pod's name or the container's address first, since the id of its server may be an address that
     * pods do not reach.
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

    /** The node in the user's words. */
    String label() {
        return word + " " + Messages.quote(name);
    }
}
