package dev.muster.engine.ascend;

import dev.muster.spi.InputValue;
import dev.muster.spi.PlanException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Template 2: groups of pods with devices, no rank ids. Ranks are numbered over groups, pods and devices as they stand,
 * only the pods of the first group by the number in their names. HCCL would number otherwise, so ranks never see this
 * table but the same one as template 1.
 */
final class TemplateTwo {

    private final InputValue.Json source;
    private final JsonView table;
    private final CardRules cardRules;
    private final Unique podNames = new Unique(PodOrder.NAME, "");
    private final NewTable converted;
    private final List<TableNode> pods;
    private int nextRank;

    private TemplateTwo(InputValue.Json source, JsonView table, int cards, int pods) {
        this.source = source;
        this.table = table;
        this.cardRules = new CardRules(pods);
        this.converted = new NewTable(cards, pods);
        this.pods = new ArrayList<>(pods);
    }

    static RankTable read(InputValue.Json source, JsonView table) throws PlanException {
        int cards = 0;
        int pods = 0;
        for (JsonView group : table.list("group_list")) {
            cards = Math.min(cards + group.number("device_count", RankTable.MOST_CARDS), RankTable.MOST_CARDS);
            pods = Math.min(pods + group.sizeOf("instance_list"), RankTable.MOST_CARDS);
        }
        return new TemplateTwo(source, table, cards, pods).read();
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
        JsonView.Elements instances = group.list("instance_list");
        group.declares("instance_count", instances.size(), "instances");
        boolean hasCards = group.number("device_count", RankTable.MOST_CARDS) > 0;
        int firstRank = nextRank;
        List<JsonView> inOrder = first && hasCards ? PodOrder.of(instances) : instances;
        for (int pod = 0; pod < inOrder.size(); pod++) {
            readPod(inOrder.get(pod), hasCards);
        }
        group.declares("device_count", nextRank - firstRank, "devices");
    }

    private void readPod(JsonView instance, boolean hasCards) throws PlanException {
        String name = instance.text(PodOrder.NAME);
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

    private void readDevices(String serverId, JsonView.Elements devices) throws PlanException {
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
}
