package dev.muster.runtime.platform;

import dev.muster.runtime.config.Environment;
import dev.muster.runtime.files.ReadableFiles;
import dev.muster.spi.NodeInfo;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Asks the kernel what machine this is, and nothing over the network. */
record NodeInfoReader(MachineFiles files, Environment environment) {

    private static final String UNKNOWN_HOST = "localhost";
    private static final int LONGEST_RUN = 8;

    NodeInfo read() {
        return new NodeInfo(
                hostName(),
                addresses(),
                uid(),
                environment.value("HOME"),
                Runtime.getRuntime().availableProcessors());
    }

    private String hostName() {
        String name = text("/proc/sys/kernel/hostname");
        if (name.isEmpty()) {
            name = text("/etc/hostname");
        }
        return name.isEmpty() ? environment.value("HOSTNAME").orElse(UNKNOWN_HOST) : name;
    }

    /** The effective user id, the second of the four in the line; -1 without {@code /proc}. */
    private int uid() {
        String[] ids = ReadableFiles.field(text("/proc/self/status"), "Uid:").split("\t", -1);
        return ids.length > 1 ? Integer.parseInt(ids[1]) : -1;
    }

    /** A file of the kernel; empty: it is not there. */
    private String text(String file) {
        return files.text(file).orElse("").strip();
    }

    /** The IP addresses of this machine: first those that reach farthest, then IPv4 before IPv6, then by number. */
    private static List<String> addresses() {
        try (Stream<NetworkInterface> networks = NetworkInterface.networkInterfaces()) {
            return networks.flatMap(NetworkInterface::inetAddresses)
                    .sorted((one, other) -> Arrays.compareUnsigned(order(one), order(other)))
                    .map(NodeInfoReader::text)
                    .distinct()
                    .toList();
        } catch (SocketException none) {
            return List.of(); // a machine that does not tell its addresses is not recognised by them
        }
    }

    /** The sort key of an address. Its first byte: 0 is reachable from anywhere, 1 on the same link, 2 on this machine. */
    private static byte[] order(InetAddress address) {
        byte[] bytes = address.getAddress();
        int reach = address.isLoopbackAddress() ? 2 : address.isLinkLocalAddress() ? 1 : 0;
        return ByteBuffer.allocate(2 + bytes.length)
                .put((byte) reach)
                .put((byte) bytes.length)
                .put(bytes)
                .array();
    }

    /** The usual form: an IPv6 address has the longest run of zeros as {@code ::}, and no zone. */
    static String text(InetAddress address) {
        String full = address.getHostAddress().replaceFirst("%.*", "");
        return IntStream.iterate(LONGEST_RUN, zeros -> zeros > 1, zeros -> zeros - 1)
                .mapToObj(zeros -> full.replaceFirst("(^|:)0(:0){" + (zeros - 1) + "}(:|$)", "::"))
                .filter(shorter -> !shorter.equals(full))
                .findFirst()
                .orElse(full);
    }
}
