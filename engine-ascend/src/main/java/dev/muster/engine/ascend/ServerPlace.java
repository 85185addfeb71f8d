package dev.muster.engine.ascend;

import dev.muster.spi.Host;
import dev.muster.spi.Node;
import dev.muster.spi.OptionValue;
import java.util.List;
import java.util.Optional;

/**
 * Where this node stands among those of the job.
 *
 * @param index among those that have cards, in the order of their ranks
 * @param count how many of them there are
 * @param firstAddress of the node that has rank 0, as far as anybody says
 * @param ownAddress under which the others know this node, as far as anybody says
 * @param isRegular whether all have the same number of cards n, and card c of node i has rank i*n+c
 */
record ServerPlace(
        int index, int count, Optional<String> firstAddress, Optional<String> ownAddress, boolean isRegular) {

    /** The place of a node whose entry in the table this is. */
    static ServerPlace of(RankTable table, TableNode own, Node node) {
        if (table.format() == RankTableFormat.LEVEL_LIST) {
            return ofBlock(own, node);
        }
        List<TableNode> withCards = table.withCards();
        int index = withCards.indexOf(own);
        return new ServerPlace(
                index,
                withCards.size(),
                Optional.of(addressOf(withCards.get(0))),
                known(node).or(own::ipAddress).or(() -> ownAddress(node)),
                table.isEven() && isConsecutive(own.ranks(), index));
    }

    /** The place of a node that is the whole job. */
    static ServerPlace only(Node node) {
        return new ServerPlace(0, 1, ownAddress(node), ownAddress(node), true);
    }

    /** Its table names no nodes, and shares its ranks out in equal blocks. */
    private static ServerPlace ofBlock(TableNode own, Node node) {
        int count = node.count().orElse(1);
        int index = count == 1 ? 0 : node.index().orElse(0);
        Optional<String> first = node.hosts().isEmpty()
                ? Optional.empty()
                : Optional.of(hostAddress(node.hosts().get(0)));
        return new ServerPlace(
                index,
                count,
                first.or(() -> count == 1 ? ownAddress(node) : Optional.empty()),
                ownAddress(node),
                isConsecutive(own.ranks(), index));
    }

    private static boolean isConsecutive(List<Integer> ranks, int index) {
        for (int card = 0; card < ranks.size(); card++) {
            if (ranks.get(card) != index * ranks.size() + card) {
                return false;
            }
        }
        return true;
    }

    /** The id of a server may be any name; then an address beside it says more. */
    private static String addressOf(TableNode node) {
        return node.ipAddress()
                .orElse(
                        node.addresses().isEmpty()
                                ? node.name()
                                : node.addresses().get(0));
    }

    private static Optional<String> ownAddress(Node node) {
        List<String> addresses = MachineAddresses.withoutLoopback(node.machine());
        return known(node).or(() -> addresses.isEmpty() ? Optional.empty() : Optional.of(addresses.get(0)));
    }

    private static Optional<String> known(Node node) {
        return node.address().map(OptionValue::value).filter(IpAddress::matches);
    }

    private static String hostAddress(Host host) {
        return host.address().orElse(host.name());
    }
}
