package dev.muster.runtime.platform;

import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The IP addresses of this machine's interfaces, those that reach farthest first, IPv4 before IPv6, then by their numbers. */
final class InterfaceAddresses {

    private static final int LONGEST_RUN = 8;

    private InterfaceAddresses() {}

    static List<String> read() {
        try (Stream<NetworkInterface> networks = NetworkInterface.networkInterfaces()) {
            return networks.flatMap(NetworkInterface::inetAddresses)
                    .sorted(InterfaceAddresses::order)
                    .map(InterfaceAddresses::text)
                    .distinct()
                    .toList();
        } catch (SocketException none) {
            return List.of(); // a machine that does not tell its addresses is not recognised by them
        }
    }

    private static int order(InetAddress one, InetAddress other) {
        int[] differences = {
            reach(one) - reach(other),
            one.getAddress().length - other.getAddress().length,
            Arrays.compareUnsigned(one.getAddress(), other.getAddress())
        };
        return Arrays.stream(differences).filter(each -> each != 0).findFirst().orElse(0);
    }

    /** From where an address can be reached: 0 from anywhere, 1 on the same link, 2 on this machine. */
    private static int reach(InetAddress address) {
        return address.isLoopbackAddress() ? 2 : address.isLinkLocalAddress() ? 1 : 0;
    }

    /** As everybody writes it: an IPv6 address has the longest run of zeros as {@code ::}, and no zone. */
    static String text(InetAddress address) {
        String full = address.getHostAddress().replaceFirst("%.*", "");
        return IntStream.iterate(LONGEST_RUN, zeros -> zeros > 1, zeros -> zeros - 1)
                .mapToObj(zeros -> full.replaceFirst("(^|:)0(:0){" + (zeros - 1) + "}(:|$)", "::"))
                .filter(shorter -> !shorter.equals(full))
                .findFirst()
                .orElse(full);
    }
}
