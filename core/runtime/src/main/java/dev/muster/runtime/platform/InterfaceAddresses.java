package dev.muster.runtime.platform;

import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;

/** The IP addresses of this machine's interfaces, those that reach farthest first, IPv4 before IPv6. */
final class InterfaceAddresses {

    private static final String LEAF = "|-- ";
    private static final String LOCAL_ADDRESS = "/32 host LOCAL";
    private static final int IPV6_DIGITS = 32;

    private final Path root;

    /** @param root stands for {@code /} in tests */
    InterfaceAddresses(Path root) {
        this.root = root;
    }

    List<String> read() {
        Optional<String> routes = MachineFacts.read(root.resolve("proc/net/fib_trie"));
        if (routes.isEmpty()) {
            return ordered(fromJdk());
        }
        Collection<String> addresses = new LinkedHashSet<>();
        addRoutes(routes.get(), addresses);
        addInet6(MachineFacts.read(root.resolve("proc/net/if_inet6")).orElse(""), addresses);
        return ordered(addresses);
    }

    /** The routing table lists every address of the machine as a local route of its own, once or twice. */
    private static void addRoutes(String routes, Collection<String> addresses) {
        String address = "";
        int start = 0;
        while (start < routes.length()) {
            int end = routes.indexOf('\n', start);
            String line =
                    routes.substring(start, end < 0 ? routes.length() : end).strip();
            if (line.startsWith(LEAF)) {
                address = line.substring(LEAF.length());
            } else if (line.equals(LOCAL_ADDRESS)) {
                addresses.add(address);
            }
            start = end < 0 ? routes.length() : end + 1;
        }
    }

    /** Every line begins with an address in 32 hexadecimal digits. */
    private static void addInet6(String table, Collection<String> addresses) {
        int start = 0;
        while (start + IPV6_DIGITS <= table.length()) {
            addresses.add(Ipv6.format(Ipv6.groups(table.substring(start, start + IPV6_DIGITS))));
            int end = table.indexOf('\n', start);
            start = end < 0 ? table.length() : end + 1;
        }
    }

    private static Collection<String> fromJdk() {
        Collection<String> addresses = new LinkedHashSet<>();
        try {
            for (NetworkInterface network : Collections.list(NetworkInterface.getNetworkInterfaces())) {
                for (InetAddress address : Collections.list(network.getInetAddresses())) {
                    byte[] bytes = address.getAddress();
                    addresses.add(bytes.length == 4 ? address.getHostAddress() : Ipv6.format(Ipv6.groups(bytes)));
                }
            }
        } catch (SocketException none) {
            addresses.clear(); // a machine that does not tell its addresses is not recognised by them
        }
        return addresses;
    }

    private static List<String> ordered(Collection<String> addresses) {
        List<String> ordered = new ArrayList<>(addresses.size());
        for (Reach reach : Reach.values()) {
            for (String address : addresses) {
                if (Reach.of(address) == reach) {
                    ordered.add(address);
                }
            }
        }
        return ordered;
    }

    /** From where an address can be reached, widest first. */
    private enum Reach {
        ANYWHERE,
        SAME_LINK,
        SAME_MACHINE;

        static Reach of(String address) {
            if (address.startsWith("127.") || address.equals("::1")) {
                return SAME_MACHINE;
            }
            return address.startsWith("169.254.") || address.startsWith("fe80:") ? SAME_LINK : ANYWHERE;
        }
    }
}
