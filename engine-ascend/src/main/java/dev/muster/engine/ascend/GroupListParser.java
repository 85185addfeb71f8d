package dev.muster.engine.ascend;

import dev.muster.spi.InputValue;
import dev.muster.spi.PlanException;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * Tables with {@code group_list}: template 2, and the lab table of MindSpore 0.3, made by hand.
 *
 * <p>Template 2 has groups of pods with devices, and no rank ids. Ranks are numbered in the order of groups, pods and devices in the
 * file. Only the pods of the first group are sorted by the number in their names. HCCL would number them in another way, so ranks get
 * the table converted to template 1. The lab table has an instance for each device, with its rank.
 */
final class GroupListParser {

    private static final String NAME = "pod_name";

    private final InputValue.Json source;
    private final JsonView table;
    private final CardRules rules = new CardRules();
    private final Unique podNames = new Unique(NAME, "");
    private final RankTableBuilder converted = new RankTableBuilder();
    private final List<TableNode> nodes = new ArrayList<>();
    private int nextRank;

    GroupListParser(InputValue.Json source) {
        this.source = source;
        this.table = JsonView.of(source);
    }

    RankTable read() throws PlanException {
        List<JsonView> groups = table.list("group_list");
        table.requireCount("group_count", groups.size(), "groups");
        RankTable read = isLab(groups) ? readLab(groups) : readTemplateTwo(groups);
        rules.requireAddressesBetweenServers();
        return read;
    }

    /** Whether this is a lab table: the table says so, or its instances have ranks. */
    private boolean isLab(List<JsonView> groups) throws PlanException {
        if (table.has("deploy_mode")) {
            return true;
        }
        for (JsonView group : groups) {
            if (group.has("instance_list")) {
                List<JsonView> instances = group.list("instance_list");
                return !instances.isEmpty() && instances.get(0).has("rank_id");
            }
        }
        return false;
    }

    private RankTable readTemplateTwo(List<JsonView> groups) throws PlanException {
        for (int i = 0; i < groups.size(); i++) {
            readGroup(groups.get(i), i == 0);
        }
        if (nextRank > RankTable.MOST_CARDS) {
            throw table.child("group_list")
                    .refusal(nextRank + " devices are listed, more than " + RankTable.MOST_CARDS);
        }
        return new RankTable(source, RankTableFormat.TEMPLATE_TWO, nodes, Optional.of(converted.text()), List.of());
    }

    /** Reads a group. If its device count is 0, its pods need not list devices. */
    private void readGroup(JsonView group, boolean first) throws PlanException {
        List<JsonView> pods = group.list("instance_list");
        group.requireCount("instance_count", pods.size(), "instances");
        boolean hasCards = group.number("device_count", RankTable.MOST_CARDS) > 0;
        int firstRank = nextRank;
        for (JsonView pod : first && hasCards ? byNumber(pods) : pods) {
            readPod(pod, hasCards);
        }
        group.requireCount("device_count", nextRank - firstRank, "devices");
    }

    private void readPod(JsonView pod, boolean hasCards) throws PlanException {
        String name = pod.text(NAME);
        podNames.add(name, pod);
        String serverId = pod.text("server_id");
        int firstRank = nextRank;
        List<Integer> cards = new ArrayList<>();
        if (hasCards || pod.has("devices")) {
            for (JsonView device : pod.listOrNull("devices")) {
                CardRules.Card card = rules.card(serverId, device);
                cards.add(card.number());
                converted.add(serverId, card.id(), card.address(), nextRank++);
            }
        }
        List<Integer> ranks = IntStream.range(firstRank, nextRank).boxed().toList();
        nodes.add(new TableNode(RankTableFormat.TEMPLATE_TWO.nodeWord, name, List.of(serverId), ranks, cards));
    }

    /** The pods in the order of the numbers at the ends of their names. A single pod needs no number. */
    private static List<JsonView> byNumber(List<JsonView> pods) throws PlanException {
        if (pods.size() < 2) {
            return pods;
        }
        SortedMap<BigInteger, List<JsonView>> byNumber = new TreeMap<>();
        for (JsonView pod : pods) {
            String name = pod.text(NAME);
            String number = name.substring(name.lastIndexOf('-') + 1);
            if (!number.matches("[0-9]+")) {
                throw pod.child(NAME)
                        .refusal(
                                "pod_name " + Messages.quote(name) + " does not end in -<number>",
                                "The number tells the order of the pods; name them <job>-0, <job>-1 and so on");
            }
            byNumber.computeIfAbsent(new BigInteger(number), key -> new ArrayList<>())
                    .add(pod);
        }
        return byNumber.values().stream().flatMap(List::stream).toList();
    }

    private RankTable readLab(List<JsonView> groups) throws PlanException {
        Map<String, List<Integer>> ranks = new LinkedHashMap<>();
        Map<String, List<Integer>> cards = new HashMap<>();
        for (JsonView group : groups) {
            List<JsonView> instances = group.list("instance_list");
            group.requireCount("instance_count", instances.size(), "instances");
            Set<String> servers = new HashSet<>();
            for (JsonView instance : instances) {
                String serverId = instance.text("server_id");
                servers.add(serverId);
                cards.computeIfAbsent(serverId, server -> new ArrayList<>()).add(readCard(serverId, instance));
                ranks.computeIfAbsent(serverId, server -> new ArrayList<>()).add(rules.rank(instance));
            }
            group.requireCount("device_num", instances.size(), "devices");
            group.requireCount("server_num", servers.size(), "servers");
        }
        rules.requireAllRanks(table.child("group_list"));
        ranks.forEach((server, own) -> nodes.add(new TableNode(
                RankTableFormat.LAB.nodeWord, server, List.of(server), own, cards.getOrDefault(server, List.of()))));
        TableNode.sortByRank(nodes);
        return new RankTable(source, RankTableFormat.LAB, nodes, Optional.empty(), List.of());
    }

    private int readCard(String serverId, JsonView instance) throws PlanException {
        List<JsonView> devices = instance.list("devices");
        if (devices.size() != 1) {
            throw instance.child("devices")
                    .refusal(devices.size() + " devices share one rank_id", "List an instance for each device");
        }
        return rules.card(serverId, devices.get(0)).number();
    }
}
