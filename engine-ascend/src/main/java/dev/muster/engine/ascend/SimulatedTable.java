package dev.muster.engine.ascend;

import dev.muster.spi.NodeProvision;
import dev.muster.spi.SimulatedCluster;
import dev.muster.spi.SimulatedCluster.SimulatedNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** The rank table that a simulated cluster writes into each of its nodes, of template 2, and the variable that names it. */
record SimulatedTable(SimulatedCluster cluster) {

    private static final String DIRECTORY = "/user/config";

    /** The provision of each node, in node order; all nodes get the same table. */
    List<NodeProvision> provisions() {
        String table = table();
        List<NodeProvision> provisions = new ArrayList<>();
        for (SimulatedNode node : cluster.nodes()) {
            String directory = node.directory() + DIRECTORY;
            provisions.add(NodeProvision.of(Map.of(Ranks.TABLE_VARIABLE, directory))
                    .withFiles(Map.of(directory + "/" + RankTableSource.FILE_NAME, table))
                    .withRanks(ranks(node)));
        }
        return provisions;
    }

    private List<String> ranks(SimulatedNode node) {
        int first = node.index() * cluster.cards();
        return IntStream.range(first, first + cluster.cards())
                .mapToObj(Integer::toString)
                .toList();
    }

    private String table() {
        List<String> pods = cluster.nodes().stream().map(this::pod).toList();
        return """
                {"group_count": "1", "group_list": [{"group_name": %s, "device_count": "%s", "instance_count": "%s", \
                "instance_list": [%s]}], "status": "completed"}""".formatted(
                        JsonText.of(cluster.jobId()),
                        Integer.toString(pods.size() * cluster.cards()),
                        Integer.toString(pods.size()),
                        String.join(", ", pods));
    }

    private String pod(SimulatedNode node) {
        List<String> devices = IntStream.range(0, cluster.cards())
                .mapToObj(card -> "{\"device_id\": \"" + card + "\", \"device_ip\": \""
                        + node.cardAddresses().get(card) + "\"}")
                .toList();
        return "{\"pod_name\": %s, \"server_id\": \"%s\", \"devices\": [%s]}"
                .formatted(JsonText.of(node.name()), node.address(), String.join(", ", devices));
    }
}
