package dev.muster.engine.ascend;

import dev.muster.spi.Value;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Makes a rank table of template 1. Servers and devices keep the order in which they are added. */
final class RankTableBuilder {

    /** By server: its devices as JSON. There may be a hundred thousand of them. */
    private final Map<String, StringBuilder> servers = new LinkedHashMap<>();

    /** Adds a device to a server, which need not be there yet. */
    void add(String serverId, String deviceId, Optional<String> deviceAddress, int rank) {
        StringBuilder devices = servers.computeIfAbsent(serverId, server -> new StringBuilder());
        devices.append(devices.isEmpty() ? "{\"device_id\": " : ", {\"device_id\": ")
                .append(JsonText.of(deviceId));
        deviceAddress.ifPresent(address -> devices.append(", \"device_ip\": ").append(JsonText.of(address)));
        devices.append(", \"rank_id\": \"").append(rank).append("\"}");
    }

    /** The table as JSON. */
    Value text() {
        StringBuilder table = new StringBuilder(
                        "{\"status\": \"completed\", \"version\": \"1.0\", \"server_count\": \"")
                .append(servers.size())
                .append("\", \"server_list\": [");
        String separator = "";
        for (Map.Entry<String, StringBuilder> server : servers.entrySet()) {
            table.append(separator).append("{\"server_id\": ").append(JsonText.of(server.getKey()));
            table.append(", \"device\": [").append(server.getValue()).append("]}");
            separator = ", ";
        }
        return Value.of(table.append("]}").toString());
    }
}
