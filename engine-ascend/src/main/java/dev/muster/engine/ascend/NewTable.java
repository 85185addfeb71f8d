package dev.muster.engine.ascend;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A rank table of template 1 in the making. Servers and devices keep the order in which they are added. There may be a hundred
 * thousand devices: they become text at once, and are put in order only where those of a server do not follow each other.
 */
final class NewTable {

    private static final String SEPARATOR = ", ";

    /** Characters of a device with its part of the server's, and those of the whole table beside: as a rule no more. */
    private static final int USUAL = 80;

    private static final int FRAME = 256;

    private final Map<String, Part> servers = new LinkedHashMap<>();
    private final StringBuilder text;
    private String lastServer = "";
    private @Nullable Part last;
    private boolean isMixed;

    /** @param devices how many will come, as far as known */
    NewTable(int devices) {
        text = new StringBuilder(FRAME + USUAL * devices);
    }

    /** Adds a device to a server, which need not be there yet. */
    void add(String serverId, String deviceId, Optional<String> deviceAddress, int rank) {
        Part part = last;
        if (part != null && serverId.equals(lastServer)) {
            text.append(SEPARATOR);
        } else {
            part = begin(serverId);
        }
        text.append("{\"device_id\": ");
        JsonText.appendText(text, deviceId);
        if (deviceAddress.isPresent()) {
            text.append(", \"device_ip\": ");
            JsonText.appendText(text, deviceAddress.get());
        }
        text.append(", \"rank_id\": \"").append(rank).append("\"}");
        part.end = text.length();
    }

    private Part begin(String serverId) {
        if (last != null) {
            text.append("]}").append(SEPARATOR);
        }
        appendHead(text, serverId);
        Part part = new Part(text.length());
        Part first = servers.get(serverId);
        if (first == null) {
            servers.put(serverId, part);
        } else {
            first.append(part);
            isMixed = true;
        }
        lastServer = serverId;
        last = part;
        return part;
    }

    private static void appendHead(StringBuilder text, String serverId) {
        text.append("{\"server_id\": ");
        JsonText.appendText(text, serverId);
        text.append(", \"device\": [");
    }

    /** The table as JSON; nothing can be added any more. */
    String text() {
        StringBuilder whole = isMixed ? inOrder() : text;
        return whole.insert(
                        0,
                        "{\"status\": \"completed\", \"version\": \"1.0\", \"server_count\": \"" + servers.size()
                                + "\", \"server_list\": [")
                .append(last == null ? "]}" : "]}]}")
                .toString();
    }

    /** All servers but for the end of the last one. */
    private StringBuilder inOrder() {
        StringBuilder ordered = new StringBuilder(text.length());
        String separator = "";
        for (Map.Entry<String, Part> server : servers.entrySet()) {
            appendHead(ordered.append(separator), server.getKey());
            separator = "";
            for (Part part = server.getValue(); part != null; part = part.next) {
                ordered.append(separator).append(text.substring(part.start, part.end));
                separator = SEPARATOR;
            }
            separator = "]}" + SEPARATOR;
        }
        return ordered;
    }

    /** Devices of a server that were added one after the other: a piece of the text. */
    private static final class Part {

        private final int start;
        private int end;
        private @Nullable Part next;

        /** In the first part of a server: its last one. */
        private Part last = this;

        Part(int start) {
            this.start = start;
            this.end = start;
        }

        void append(Part part) {
            last.next = part;
            last = part;
        }
    }
}
