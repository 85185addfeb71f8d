package dev.muster.engine.ascend;

import dev.muster.spi.InputValue;
import dev.muster.spi.PlanException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * Template 2: groups of pods with devices, no rank ids. Ranks are numbered over groups, pods and devices as they stand,
 * only the pods of the first group by the number in their names. HCCL would number otherwise, so ranks never see this
 * table but the same one as template 1.
 */
final class TemplateTwo {

    private static final String NAME = "pod_name";

    private final InputValue.Json source;
    private final JsonView table;
    private final CardRules rules = new CardRules();
    private final Unique podNames = new Unique(NAME, "");
    private final RankTableBuilder converted = new RankTableBuilder();
    private final List<TableNode> pods = new ArrayList<>();
    private int nextRank;

    TemplateTwo(InputValue.Json source, JsonView table) {
        this.source = source;
        this.table = table;
    }

    RankTable read() throws PlanException {
        List<JsonView> groups = table.list("group_list");
        table.declares("group_count", groups.size(), "groups");
        for (int i = 0; i < groups.size(); i++) {
            readGroup(groups.get(i), i == 0);
        }
        if (nextRank > RankTable.MOST_CARDS) {
            throw table.child("group_list")
                    .refusal(nextRank + " devices are listed, more than " + RankTable.MOST_CARDS);
        }
        rules.requireAddressesBetweenServers();
        return new RankTable(source, RankTableFormat.TEMPLATE_TWO, pods, Optional.of(converted.text()), List.of());
    }

    /** A group whose device count is 0 has nothing to number; its pods may leave out what is said of devices. */
    private void readGroup(JsonView group, boolean first) throws PlanException {
        List<JsonView> instances = group.list("instance_list");
        group.declares("instance_count", instances.size(), "instances");
        boolean hasCards = group.number("device_count", RankTable.MOST_CARDS) > 0;
        int firstRank = nextRank;
        List<JsonView> inOrder = first && hasCards ? byNumber(instances) : instances;
        for (JsonView pod : inOrder) {
            readPod(pod, hasCards);
        }
        group.declares("device_count", nextRank - firstRank, "devices");
    }

    private void readPod(JsonView instance, boolean hasCards) throws PlanException {
        String name = instance.text(NAME);
        podNames.add(name, instance);
        String serverId = instance.text("server_id");
        int firstRank = nextRank;
        if (hasCards || instance.has("devices")) {
            readDevices(serverId, instance.listOrNull("devices"));
        }
        List<Integer> ranks = IntStream.range(firstRank, nextRank).boxed().toList();
        pods.add(new TableNode(RankTableFormat.TEMPLATE_TWO.nodeWord(), name, List.of(serverId), ranks));
    }

    private void readDevices(String serverId, List<JsonView> devices) throws PlanException {
        for (JsonView device : devices) {
            CardRules.Card card = rules.card(serverId, device);
            converted.add(serverId, card.id(), card.address(), nextRank++);
        }
    }

    /** The pods in the order of the numbers at the ends of their names. An only one needs none. */
    private static List<JsonView> byNumber(List<JsonView> pods) throws PlanException {
        if (pods.size() < 2) {
            return pods;
        }
        SortedMap<Integer, List<JsonView>> byNumber = new TreeMap<>();
        for (JsonView pod : pods) {
            byNumber.computeIfAbsent(number(pod), number -> new ArrayList<>()).add(pod);
        }
        return byNumber.values().stream().flatMap(List::stream).toList();
    }

    private static int number(JsonView pod) throws PlanException {
        String name = pod.text(NAME);
        int number = WholeNumber.parse(name.substring(name.lastIndexOf('-') + 1), Integer.MAX_VALUE);
        if (number == WholeNumber.NONE) {
            throw pod.child(NAME)
                    .refusal(
                            "pod_name " + Messages.quote(name) + " does not end in -<number>",
                            "The number tells the order of the pods; name them <job>-0, <job>-1 and so on");
        }
        return number;
    }
}
