package dev.muster.engine.ascend;

import dev.muster.spi.Value;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Makes a rank table of template 1. Servers and devices keep the order in which they are added. */
final class RankTableBuilder {

    /** By server: its devices as JSON. */
    private final Map<String, List<String>> servers = new LinkedHashMap<>();

    /** Adds a device to a server, which need not be there yet. */
    void add(String serverId, String deviceId, Optional<String> deviceAddress, int rank) {
        String address = deviceAddress
                .map(text -> ", \"device_ip\": " + JsonText.of(text))
                .orElse("");
        servers.computeIfAbsent(serverId, server -> new ArrayList<>())
                .add("{\"device_id\": " + JsonText.of(deviceId) + address + ", \"rank_id\": \"" + rank + "\"}");
    }

    /** The table as JSON. */
    Value text() {
        List<String> all = new ArrayList<>(servers.size());
        servers.forEach((id, devices) ->
                all.add("{\"server_id\": " + JsonText.of(id) + ", \"device\": [" + String.join(", ", devices) + "]}"));
        return Value.of("{\"status\": \"completed\", \"version\": \"1.0\", \"server_count\": \"" + all.size()
                + "\", \"server_list\": [" + String.join(", ", all) + "]}");
    }
}
