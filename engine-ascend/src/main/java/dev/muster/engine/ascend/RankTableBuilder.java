package dev.muster.engine.ascend;

import dev.muster.spi.Value;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Makes a rank table of template 1. Servers and devices keep the order in which they are added. */
final class RankTableBuilder {

    /** The devices as JSON, by server. A table has up to 100,000 devices, so there is one builder per server. */
    private final Map<String, StringBuilder> servers = new LinkedHashMap<>();

    /** Adds a device to a server, and the server if it is new. */
    void add(String serverId, String deviceId, Optional<String> deviceAddress, int rank) {
        StringBuilder devices = servers.computeIfAbsent(serverId, server -> new StringBuilder());
        devices.append(devices.isEmpty() ? "" : ", ").append("{\"device_id\": ").append(JsonText.of(deviceId));
        deviceAddress.ifPresent(text -> devices.append(", \"device_ip\": ").append(JsonText.of(text)));
        devices.append(", \"rank_id\": \"").append(rank).append("\"}");
    }

    /** The table as JSON. */
    Value text() {
        String head = "{\"status\": \"completed\", \"version\": \"1.0\", \"server_count\": \"" + servers.size()
                + "\", \"server_list\": [";
        return Value.of(servers.entrySet().stream()
                .map(server -> "{\"server_id\": " + JsonText.of(server.getKey()) + ", \"device\": [" + server.getValue()
                        + "]}")
                .collect(Collectors.joining(", ", head, "]}")));
    }
}
