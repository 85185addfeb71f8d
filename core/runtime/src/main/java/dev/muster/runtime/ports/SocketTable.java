package dev.muster.runtime.ports;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The kernel's socket tables: {@code /proc/net/tcp}, {@code tcp6} and {@code udp}. */
final class SocketTable {

    private static final String LISTENING = "0A";
    private static final int LOCAL = 1;
    private static final int STATE = 3;
    private static final int INODE = 9;

    private SocketTable() {}

    /**
     * A row of a table.
     *
     * @param address in the kernel's hexadecimal form
     * @param inode the number by which descriptors name the socket
     */
    record Socket(String address, int port, boolean listens, String inode) {}

    static List<Socket> tcp() {
        List<Socket> sockets = new ArrayList<>(read("tcp"));
        sockets.addAll(read("tcp6"));
        return sockets;
    }

    static List<Socket> udp() {
        return read("udp");
    }

    /** Reads a table; empty without {@code /proc}. */
    private static List<Socket> read(String table) {
        List<Socket> sockets = new ArrayList<>();
        try {
            List<String> lines = Files.readAllLines(Path.of("/proc/net", table), StandardCharsets.US_ASCII);
            for (String line : lines.subList(Math.min(1, lines.size()), lines.size())) {
                String[] fields = line.trim().split(" +", INODE + 2);
                int colon = fields[LOCAL].indexOf(':');
                sockets.add(new Socket(
                        fields[LOCAL].substring(0, colon),
                        Integer.parseInt(fields[LOCAL].substring(colon + 1), 16),
                        fields[STATE].equals(LISTENING),
                        fields[INODE]));
            }
        } catch (IOException noTable) {
            return List.of();
        }
        return sockets;
    }
}
