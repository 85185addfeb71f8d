package dev.muster.engine.ascend;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A rank table of template 1 in the making. Servers and devices keep the order in which they are added. Devices stand in arrays,
 * not in an object each: there may be a hundred thousand.
 */
final class NewTable {

    private static final int FEW = 64;
    private static final int NONE = -1;
    private static final String SEPARATOR = ", ";

    /** Characters around the values of a device, those of a server, and those of the whole table: at least so many. */
    private static final int FRAME = 60;

    private final Map<String, Server> servers = new LinkedHashMap<>();
    private String[] ids = new String[FEW];
    private @Nullable String[] addresses = new String[FEW];
    private int[] ranks = new int[FEW];

    /** The next device of the same server. */
    private int[] next = new int[FEW];

    private int size;
    private int characters = 2 * FRAME;

    /** Adds a device to a server, which need not be there yet. */
    void add(String serverId, String deviceId, Optional<String> deviceAddress, int rank) {
        if (size == ids.length) {
            grow();
        }
        ids[size] = deviceId;
        addresses[size] = deviceAddress.orElse(null);
        ranks[size] = rank;
        next[size] = NONE;
        characters +=
                FRAME + deviceId.length() + deviceAddress.map(String::length).orElse(0);
        Server server = servers.get(serverId);
        if (server == null) {
            servers.put(serverId, new Server(size));
            characters += FRAME + serverId.length();
        } else {
            next[server.last] = size;
            server.last = size;
        }
        size++;
    }

    private void grow() {
        int length = 2 * size;
        ids = Arrays.copyOf(ids, length);
        addresses = Arrays.copyOf(addresses, length);
        ranks = Arrays.copyOf(ranks, length);
        next = Arrays.copyOf(next, length);
    }

    /** The table as JSON. */
    String text() {
        StringBuilder text = new StringBuilder(characters)
                .append("{\"status\": \"completed\", \"version\": \"1.0\", \"server_count\": \"")
                .append(servers.size())
                .append("\", \"server_list\": [");
        String separator = "";
        for (Map.Entry<String, Server> server : servers.entrySet()) {
            text.append(separator).append("{\"server_id\": ");
            JsonText.appendText(text, server.getKey());
            text.append(", \"device\": [");
            appendDevices(text, server.getValue().first);
            text.append("]}");
            separator = SEPARATOR;
        }
        return text.append("]}").toString();
    }

    private void appendDevices(StringBuilder text, int first) {
        for (int device = first; device != NONE; device = next[device]) {
            text.append(device == first ? "{\"device_id\": " : ", {\"device_id\": ");
            JsonText.appendText(text, ids[device]);
            String address = addresses[device];
            if (address != null) {
                text.append(", \"device_ip\": ");
                JsonText.appendText(text, address);
            }
            text.append(", \"rank_id\": \"").append(ranks[device]).append("\"}");
        }
    }

    /** The positions of a server's first and last device. */
    private static final class Server {

        private final int first;
        private int last;

        Server(int first) {
            this.first = first;
            this.last = first;
        }
    }
}
