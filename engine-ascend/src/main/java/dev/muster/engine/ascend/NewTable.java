package dev.muster.engine.ascend;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * A rank table of template 1 in the making. Servers and devices keep the order in which they are added. Devices become text at
 * once: a hundred thousand of them as maps would take more room than there is.
 */
final class NewTable {

    private static final String SEPARATOR = ", ";

    /** Characters around what a server has; more than the frame of all has. */
    private static final int SERVER_SIZE = 100;

    private final Map<String, StringBuilder> devicesByServer = new LinkedHashMap<>();

    /** Adds a device to a server, which need not be there yet. */
    void add(String serverId, String deviceId, Optional<String> deviceAddress, int rank) {
        StringBuilder devices = devicesByServer.computeIfAbsent(serverId, server -> new StringBuilder());
        devices.append(devices.length() == 0 ? "" : SEPARATOR).append("{\"device_id\": ");
        JsonText.appendText(devices, deviceId);
        if (deviceAddress.isPresent()) {
            devices.append(", \"device_ip\": ");
            JsonText.appendText(devices, deviceAddress.get());
        }
        devices.append(", \"rank_id\": \"").append(rank).append("\"}");
    }

    /** The table as JSON. */
    String text() {
        int size = SERVER_SIZE;
        for (Map.Entry<String, StringBuilder> server : devicesByServer.entrySet()) {
            size += SERVER_SIZE + server.getKey().length() + server.getValue().length();
        }
        StringBuilder text = new StringBuilder(size)
                .append("{\"status\": \"completed\", \"version\": \"1.0\", \"server_count\": \"")
                .append(devicesByServer.size())
                .append("\", \"server_list\": [");
        String separator = "";
        for (Map.Entry<String, StringBuilder> server : devicesByServer.entrySet()) {
            text.append(separator).append("{\"server_id\": ");
            JsonText.appendText(text, server.getKey());
            text.append(", \"device\": [").append(server.getValue()).append("]}");
            separator = SEPARATOR;
        }
        return text.append("]}").toString();
    }
}
