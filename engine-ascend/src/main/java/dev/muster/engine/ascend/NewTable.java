package dev.muster.engine.ascend;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A rank table of template 1 in the making. Servers and devices keep the order in which they are added. */
final class NewTable {

    private final Map<String, List<Object>> devicesByServer = new LinkedHashMap<>();

    /** Adds a device to a server, which need not be there yet. */
    void add(String serverId, String deviceId, Optional<String> deviceAddress, int rank) {
        Map<String, Object> device = JsonText.object("device_id", deviceId);
        if (deviceAddress.isPresent()) {
            device.put("device_ip", deviceAddress.get());
        }
        device.put("rank_id", Integer.toString(rank));
        devicesByServer.computeIfAbsent(serverId, server -> new ArrayList<>()).add(device);
    }

    /** The table as JSON. */
    String text() {
        List<Object> servers = new ArrayList<>(devicesByServer.size());
        for (Map.Entry<String, List<Object>> server : devicesByServer.entrySet()) {
            servers.add(JsonText.object("server_id", server.getKey(), "device", server.getValue()));
        }
        return JsonText.of(JsonText.object(
                "status",
                "completed",
                "version",
                "1.0",
                "server_count",
                Integer.toString(servers.size()),
                "server_list",
                servers));
    }
}
