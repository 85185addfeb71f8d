package dev.muster.engine.ascend;

import dev.muster.spi.InputValue;
import dev.muster.spi.PlanException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The table of MindSpore 0.3, made by hand: an instance for each device, with its rank. */
final class LabTable {

    private final InputValue.Json source;
    private final JsonView table;
    private final CardRules rules = new CardRules();
    private final Map<String, List<Integer>> ranksByServer = new LinkedHashMap<>();

    LabTable(InputValue.Json source, JsonView table) {
        this.source = source;
        this.table = table;
    }

    /** Whether a table with groups is of this family: it says so, or its instances have ranks. */
    static boolean fits(JsonView table) throws PlanException {
        if (table.has("deploy_mode")) {
            return true;
        }
        for (JsonView group : table.list("group_list")) {
            if (group.has("instance_list")) {
                List<JsonView> instances = group.list("instance_list");
                return !instances.isEmpty() && instances.get(0).has("rank_id");
            }
        }
        return false;
    }

    RankTable read() throws PlanException {
        List<JsonView> groups = table.list("group_list");
        table.declares("group_count", groups.size(), "groups");
        for (JsonView group : groups) {
            readGroup(group);
        }
        rules.requireAllRanks(table.child("group_list"));
        rules.requireAddressesBetweenServers();
        List<TableNode> servers = new ArrayList<>();
        ranksByServer.forEach((id, ranks) ->
                servers.add(new TableNode(RankTableFormat.LAB.nodeWord(), id, List.of(id), ranks)));
        TableNode.sortByRank(servers);
        return new RankTable(source, RankTableFormat.LAB, servers, Optional.empty(), List.of());
    }

    private void readGroup(JsonView group) throws PlanException {
        List<JsonView> instances = group.list("instance_list");
        group.declares("instance_count", instances.size(), "instances");
        Set<String> servers = new HashSet<>();
        for (JsonView instance : instances) {
            servers.add(readInstance(instance));
        }
        group.declares("device_num", instances.size(), "devices");
        group.declares("server_num", servers.size(), "servers");
    }

    private String readInstance(JsonView instance) throws PlanException {
        String serverId = instance.text("server_id");
        List<JsonView> devices = instance.list("devices");
        if (devices.size() != 1) {
            throw instance.child("devices")
                    .refusal(devices.size() + " devices share one rank_id", "List an instance for each device");
        }
        rules.card(serverId, devices.get(0));
        ranksByServer.computeIfAbsent(serverId, server -> new ArrayList<>()).add(rules.rank(instance));
        return serverId;
    }
}
