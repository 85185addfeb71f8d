package dev.muster.engine.ascend;

import dev.muster.spi.InputValue;
import dev.muster.spi.PlanException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Template 2: groups of pods with devices, no rank ids. Ranks are numbered over groups, pods and devices as they stand,
 * only the pods of the first group by the number in their names. HCCL would number otherwise, so ranks never see this
 * table but the same one as template 1.
 */
final class TemplateTwo {

    private static final int HIGHEST_POD_NUMBER = Integer.MAX_VALUE;

    private final InputValue.Json source;
    private final JsonView table;
    private final CardRules cardRules = new CardRules();
    private final Unique podNames = new Unique("pod_name", "");
    private final NewTable converted;
    private final List<TableNode> pods = new ArrayList<>();
    private int nextRank;

    private TemplateTwo(InputValue.Json source, JsonView table, int cards) {
        this.source = source;
        this.table = table;
        this.converted = new NewTable(cards);
    }

    static RankTable read(InputValue.Json source, JsonView table) throws PlanException {
        int cards = 0;
        for (JsonView group : table.list("group_list")) {
            cards = Math.min(cards + group.number("device_count", RankTable.MOST_CARDS), RankTable.MOST_CARDS);
        }
        return new TemplateTwo(source, table, cards).read();
    }

    private RankTable read() throws PlanException {
        List<JsonView> groups = table.list("group_list");
        table.declares("group_count", groups.size(), "groups");
        for (int i = 0; i < groups.size(); i++) {
            readGroup(groups.get(i), i == 0);
        }
        if (nextRank > RankTable.MOST_CARDS) {
            throw table.child("group_list")
                    .refusal(nextRank + " devices are listed, more than " + RankTable.MOST_CARDS, JsonView.CORRECT_IT);
        }
        cardRules.requireAddressesBetweenServers();
        return new RankTable(source, Family.TEMPLATE_TWO, pods, Optional.of(converted.text()), List.of());
    }

    /** A group whose device count is 0 has nothing to number; its pods may leave out what is said of devices. */
    private void readGroup(JsonView group, boolean first) throws PlanException {
        List<JsonView> instances = group.list("instance_list");
        group.declares("instance_count", instances.size(), "instances");
        boolean hasCards = group.number("device_count", RankTable.MOST_CARDS) > 0;
        int firstRank = nextRank;
        for (JsonView instance : first && hasCards ? inPodOrder(instances) : instances) {
            readPod(instance, hasCards);
        }
        group.declares("device_count", nextRank - firstRank, "devices");
    }

    private void readPod(JsonView instance, boolean hasCards) throws PlanException {
        String name = instance.text("pod_name");
        podNames.add(name, instance);
        String serverId = instance.text("server_id");
        int firstRank = nextRank;
        if (hasCards || instance.has("devices")) {
            readDevices(serverId, instance.listOrNull("devices"));
        }
        pods.add(new TableNode(
                Family.TEMPLATE_TWO.nodeWord(),
                name,
                List.of(serverId),
                new Consecutive(firstRank, nextRank - firstRank)));
    }

    private void readDevices(String serverId, List<JsonView> devices) throws PlanException {
        Optional<PlainDevices> plain = PlainDevices.of(devices);
        for (int device = 0; device < devices.size(); device++) {
            if (plain.isPresent() && plain.get().goTo(device)) {
                cardRules.read(serverId, plain.get());
                converted.add(serverId, plain.get(), nextRank);
            } else {
                CardRules.Card card = cardRules.read(serverId, devices.get(device));
                converted.add(serverId, card.id(), card.address(), nextRank);
            }
            nextRank++;
        }
    }

    private static List<JsonView> inPodOrder(List<JsonView> instances) throws PlanException {
        if (areInPodOrder(instances)) {
            return instances;
        }
        List<NumberedPod> pods = new ArrayList<>(instances.size());
        for (JsonView instance : instances) {
            pods.add(new NumberedPod(podNumber(instance), instance));
        }
        pods.sort(Comparator.comparingInt(NumberedPod::number));
        List<JsonView> sorted = new ArrayList<>(pods.size());
        for (NumberedPod pod : pods) {
            sorted.add(pod.instance());
        }
        return sorted;
    }

    /** As they stand, almost always. An only one needs no number. */
    private static boolean areInPodOrder(List<JsonView> instances) throws PlanException {
        boolean isInOrder = true;
        int last = 0;
        for (int pod = 0; pod < instances.size() && instances.size() > 1; pod++) {
            int number = podNumber(instances.get(pod));
            isInOrder &= number >= last;
            last = number;
        }
        return isInOrder;
    }

    private static int podNumber(JsonView instance) throws PlanException {
        String name = instance.text("pod_name");
        int number = WholeNumber.parse(name.substring(name.lastIndexOf('-') + 1), HIGHEST_POD_NUMBER);
        if (number == WholeNumber.NONE) {
            throw instance.child("pod_name")
                    .refusal(
                            "pod_name " + Messages.quote(name) + " does not end in -<number>",
                            "The number tells the order of the pods; name them <job>-0, <job>-1 and so on");
        }
        return number;
    }

    private record NumberedPod(int number, JsonView instance) {}
}
