package dev.muster.engine.ascend;

import dev.muster.spi.Node;
import dev.muster.spi.NodeInfo;
import dev.muster.spi.OptionValue;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * The place of this node among the nodes of the job that have cards.
 *
 * @param index in the order of ranks
 * @param count the number of these nodes
 * @param firstAddress the address of the node with rank 0, if known
 * @param ownAddress the address under which the other nodes know this node, if known
 * @param isRegular whether all nodes have the same number of cards n, and card c of node i has rank i*n+c
 */
record ServerPlace(
        int index, int count, Optional<String> firstAddress, Optional<String> ownAddress, boolean isRegular) {

    private static final List<String> LOOPBACK = List.of("::1", "0:0:0:0:0:0:0:1");

    /** The place of the node with this entry in the table. */
    static ServerPlace of(RankTable table, TableNode own, Node node) {
        Optional<String> first = table.namesNodes()
                ? Optional.of(table.withCards().get(0).anyAddress())
                : node.hosts().stream().findFirst().map(host -> host.address().orElse(host.name()));
        int count = table.namesNodes() ? table.withCards().size() : node.count().orElse(1);
        int index = table.namesNodes()
                ? table.withCards().indexOf(own)
                : count > 1 ? node.index().orElse(0) : 0;
        return new ServerPlace(
                index,
                count,
                first.or(() -> count == 1 ? ownAddress(node) : Optional.empty()),
                known(node).or(own::ipAddress).or(() -> ownAddress(node)),
                table.isEven() && isConsecutive(own.ranks(), index));
    }

    /** The place of a node that is the whole job. */
    static ServerPlace only(Node node) {
        return new ServerPlace(0, 1, ownAddress(node), ownAddress(node), true);
    }

    /** The addresses of a machine that no other machine has, without loopback addresses, in their order. */
    static List<String> addresses(NodeInfo machine) {
        return machine.addresses().stream()
                .filter(address -> !address.startsWith("127.") && !LOOPBACK.contains(address))
                .toList();
    }

    private static boolean isConsecutive(List<Integer> ranks, int index) {
        return IntStream.range(0, ranks.size()).allMatch(card -> ranks.get(card) == index * ranks.size() + card);
    }

    private static Optional<String> ownAddress(Node node) {
        return known(node).or(() -> addresses(node.machine()).stream().findFirst());
    }

    private static Optional<String> known(Node node) {
        return node.address().map(OptionValue::value).filter(IpAddress::matches);
    }
}
