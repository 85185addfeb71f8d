package dev.muster.engine.ascend;

import dev.muster.spi.Value;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A rank table of template 1 in the making. Servers and devices keep the order in which they are added. There may be a hundred
 * thousand devices: they become text at once, and are put in order only where those of a server do not follow each other.
 */
final class NewTable {

    private static final byte[] SEPARATOR = AsciiText.bytes(", ");
    private static final byte[] ID = AsciiText.bytes("{\"device_id\": ");
    private static final byte[] ADDRESS = AsciiText.bytes(", \"device_ip\": ");
    private static final byte[] RANK = AsciiText.bytes(", \"rank_id\": \"");
    private static final byte[] END = AsciiText.bytes("\"}");
    private static final byte[] QUOTE = AsciiText.bytes("\"");
    private static final byte[] SERVER = AsciiText.bytes("{\"server_id\": ");
    private static final byte[] DEVICES = AsciiText.bytes(", \"device\": [");
    private static final byte[] SERVER_END = AsciiText.bytes("]}");

    /** Characters of a device with its part of the server's: as a rule no more. */
    private static final int USUAL = 80;

    private final Map<String, Part> servers;
    private final AsciiText text;
    private final UsualDevices usual;
    private String lastServer = "";
    private @Nullable Part last;
    private boolean isMixed;

    /**
     * @param devices how many will come, as far as known
     * @param hosts how many servers they are on, as far as known
     */
    NewTable(int devices, int hosts) {
        servers = new LinkedHashMap<>(2 * hosts);
        text = new AsciiText(USUAL * devices);
        usual = new UsualDevices(text);
    }

    /** Adds a device to a server, which need not be there yet. */
    void add(String serverId, String deviceId, Optional<String> deviceAddress, int rank) {
        Part part = next(serverId);
        text.append(ID).append(JsonText.quoted(deviceId));
        if (deviceAddress.isPresent()) {
            text.append(ADDRESS).append(JsonText.quoted(deviceAddress.get()));
        }
        end(part, rank);
    }

    /** As {@link #add(String, String, Optional, int)}, from where the device stands in another table. */
    void add(String serverId, PlainDevices device, int rank) {
        Part part = next(serverId);
        usual.add(device, rank);
        part.end = text.end();
    }

    private Part next(String serverId) {
        Part part = last;
        if (part != null && serverId.equals(lastServer)) {
            text.append(SEPARATOR);
            return part;
        }
        return begin(serverId);
    }

    private void end(Part part, int rank) {
        text.append(RANK).append(rank).append(END);
        part.end = text.end();
    }

    private Part begin(String serverId) {
        if (last != null) {
            text.append(SERVER_END).append(SEPARATOR);
        }
        appendHead(text, serverId);
        Part part = new Part(text.end());
        Part first = servers.putIfAbsent(serverId, part);
        if (first != null) {
            first.append(part);
            isMixed = true;
        }
        lastServer = serverId;
        last = part;
        return part;
    }

    private static void appendHead(AsciiText text, String serverId) {
        text.append(SERVER);
        if (JsonText.isPlain(serverId)) {
            text.append(QUOTE).append(serverId).append(QUOTE);
        } else {
            text.append(JsonText.quoted(serverId));
        }
        text.append(DEVICES);
    }

    /** The table as JSON; nothing can be added any more. */
    Value text() {
        AsciiText whole = isMixed ? inOrder() : text;
        return whole.append(last == null ? "]}" : "]}]}")
                .after("{\"status\": \"completed\", \"version\": \"1.0\", \"server_count\": \"" + servers.size()
                        + "\", \"server_list\": [");
    }

    /** All servers but for the end of the last one. */
    private AsciiText inOrder() {
        AsciiText ordered = new AsciiText(text.end());
        boolean isFirst = true;
        for (Map.Entry<String, Part> server : servers.entrySet()) {
            if (!isFirst) {
                ordered.append(SERVER_END).append(SEPARATOR);
            }
            isFirst = false;
            appendHead(ordered, server.getKey());
            for (Part part = server.getValue(); part != null; part = part.next) {
                if (part != server.getValue()) {
                    ordered.append(SEPARATOR);
                }
                ordered.append(text, part.start, part.end);
            }
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
