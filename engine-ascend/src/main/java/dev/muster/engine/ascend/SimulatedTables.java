package dev.muster.engine.ascend;

import dev.muster.spi.NodeProvision;
import dev.muster.spi.OptionValue;
import dev.muster.spi.SimulatedCluster;
import dev.muster.spi.SimulatedCluster.SimulatedNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.stream.IntStream;

/** The rank table that a simulated cluster writes into each of its nodes, and the variable that names it. */
final class SimulatedTables {

    static final String OPTION = "table-family";

    private static final String TEMPLATE_TWO = "template2";
    private static final String TEMPLATE_ONE = "template1";
    private static final String SUPERPOD = "1.2";
    private static final String LEVEL_LIST = "2.0";
    private static final String LAB = "lab";

    private static final String DIRECTORY = "/user/config";

    private final SimulatedCluster cluster;
    private final int cards;

    SimulatedTables(SimulatedCluster cluster) {
        this.cluster = cluster;
        this.cards = cluster.cards();
    }

    /** The values of {@link #OPTION}, the default first. */
    static String[] families() {
        return new String[] {TEMPLATE_TWO, TEMPLATE_ONE, SUPERPOD, LEVEL_LIST, LAB};
    }

    /** What each node gets, in node order; all get the same table. */
    List<NodeProvision> provisions() {
        OptionValue option = cluster.options().get(OPTION);
        String family = option == null ? TEMPLATE_TWO : option.value();
        String table = JsonText.of(table(family));
        List<NodeProvision> provisions = new ArrayList<>();
        for (SimulatedNode node : cluster.nodes()) {
            String directory = node.directory() + DIRECTORY;
            String path = directory + "/" + RankTableSource.FILE_NAME;
            Map<String, String> environment = family.equals(TEMPLATE_ONE)
                    ? Map.of(RankTableSource.TEMPLATE_ONE_VARIABLE, path)
                    : Map.of(Ranks.TABLE_VARIABLE, directory);
            List<String> ranks = IntStream.range(0, cards)
                    .mapToObj(card -> text(rank(node, card)))
                    .toList();
            provisions.add(
                    NodeProvision.of(environment).withFiles(Map.of(path, table)).withRanks(ranks));
        }
        return provisions;
    }

    private Map<String, Object> table(String family) {
        return switch (family) {
            case TEMPLATE_ONE -> templateOne("1.0");
            case SUPERPOD -> superpod();
            case LEVEL_LIST -> levelList();
            case LAB -> lab();
            default -> templateTwo();
        };
    }

    private Map<String, Object> templateTwo() {
        List<Object> instances = new ArrayList<>();
        for (SimulatedNode node : cluster.nodes()) {
            List<Map<String, Object>> devices = IntStream.range(0, cards)
                    .mapToObj(card -> device(node, card))
                    .toList();
            instances.add(JsonText.object("pod_name", node.name(), "server_id", node.address(), "devices", devices));
        }
        Map<String, Object> group = JsonText.object(
                "group_name", cluster.jobId(),
                "device_count", text(instances.size() * cards),
                "instance_count", text(instances.size()),
                "instance_list", instances);
        return JsonText.object("group_count", "1", "group_list", List.of(group), "status", "completed");
    }

    private Map<String, Object> templateOne(String version) {
        List<Object> servers = new ArrayList<>();
        for (SimulatedNode node : cluster.nodes()) {
            servers.add(JsonText.object(
                    "server_id", node.address(), "host_ip", node.address(), "device", rankedDevices(node, version)));
        }
        return JsonText.object(
                "status",
                "completed",
                "version",
                version,
                "server_count",
                text(servers.size()),
                "server_list",
                servers);
    }

    private List<Object> rankedDevices(SimulatedNode node, String version) {
        List<Object> devices = new ArrayList<>();
        for (int card = 0; card < cards; card++) {
            Map<String, Object> device = device(node, card);
            device.put("rank_id", text(rank(node, card)));
            if (version.equals(SUPERPOD)) {
                device.put("super_device_id", text(rank(node, card)));
            }
            devices.add(device);
        }
        return devices;
    }

    private Map<String, Object> superpod() {
        List<Map<String, Object>> members = cluster.nodes().stream()
                .map(node -> JsonText.object("server_id", node.address()))
                .toList();
        Map<String, Object> table = templateOne(SUPERPOD);
        table.put("super_pod_list", List.of(JsonText.object("super_pod_id", "0", "server_list", members)));
        return table;
    }

    private Map<String, Object> levelList() {
        List<Object> ranks = ofEachCard((node, card) -> JsonText.object(
                "rank_id", rank(node, card), "local_id", card, "device_id", card, "level_list", List.of()));
        return JsonText.object(
                "status", "completed", "version", LEVEL_LIST, "rank_count", ranks.size(), "rank_list", ranks);
    }

    private Map<String, Object> lab() {
        return JsonText.object(
                "deploy_mode", "lab", "group_count", "1", "group_list", List.of(labGroup()), "status", "completed");
    }

    private Map<String, Object> labGroup() {
        List<Object> instances = ofEachCard((node, card) -> JsonText.object(
                "devices", List.of(device(node, card)),
                "rank_id", text(rank(node, card)),
                "server_id", node.address()));
        return JsonText.object(
                "device_num", text(instances.size()),
                "server_num", text(cards == 0 ? 0 : cluster.nodes().size()),
                "group_name", "",
                "instance_count", text(instances.size()),
                "instance_list", instances);
    }

    private List<Object> ofEachCard(BiFunction<SimulatedNode, Integer, Object> made) {
        List<Object> all = new ArrayList<>();
        for (SimulatedNode node : cluster.nodes()) {
            for (int card = 0; card < cards; card++) {
                all.add(made.apply(node, card));
            }
        }
        return all;
    }

    private static Map<String, Object> device(SimulatedNode node, int card) {
        return JsonText.object(
                "device_id", text(card), "device_ip", node.cardAddresses().get(card));
    }

    private int rank(SimulatedNode node, int card) {
        return node.index() * cards + card;
    }

    private static String text(int number) {
        return Integer.toString(number);
    }
}
