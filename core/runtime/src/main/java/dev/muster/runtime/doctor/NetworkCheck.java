package dev.muster.runtime.doctor;

import dev.muster.runtime.commands.CommandRunner;
import dev.muster.runtime.errors.ExitCode;
import dev.muster.spi.Host;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The nodes of the job: whether each name leads to an address of that node, and the route there. */
final class NetworkCheck {

    /** The most nodes that are checked: each may ask DNS, and a job may have a thousand. */
    private static final int MOST = 16;

    private static final Pattern DEVICE = Pattern.compile("\\bdev (\\S+)");

    private NetworkCheck() {}

    static Stream<Finding> findings(NodeFacts node) {
        int count = node.hasOtherNodes() ? Math.min(MOST, node.node().hosts().size()) : 0;
        return IntStream.range(0, count).boxed().flatMap(index -> findings(node, index));
    }

    private static Stream<Finding> findings(NodeFacts node, int index) {
        Host host = node.node().hosts().get(index);
        CommandRunner.Answer answer = node.ask("getent", "ahosts", host.name());
        String address = answer.output().split("\\s", 2)[0];
        List<String> here = node.node().machine().addresses();
        boolean isLoopback = NodeFacts.isLoopback(address);
        boolean isHere = isLoopback || here.contains(address);
        if (address.isEmpty()) {
            boolean canAsk = answer.exitCode() != ExitCode.NOT_FOUND.code();
            return canAsk ? Stream.of(Finding.of("hosts.unknown", index, host.name())) : Stream.empty();
        }
        if (index != node.node().index().orElse(-1)) {
            return isHere
                    ? Stream.of(Finding.of(isLoopback ? "hosts.loopback" : "hosts.here", index, host.name(), address))
                    : route(node, index, host.name(), address);
        }
        // A launch itself reports that this node's own name leads to its loopback address.
        return isHere
                ? Stream.empty()
                : Stream.of(Finding.of("hosts.other", index, host.name(), address, String.join(", ", here)));
    }

    private static Stream<Finding> route(NodeFacts node, int index, String name, String address) {
        CommandRunner.Answer answer = node.ask("ip", "-o", "route", "get", address);
        if (answer.exitCode() == ExitCode.NOT_FOUND.code()) {
            return Stream.of(Finding.of("route", index, name, address, "?", "?"));
        }
        Matcher route = DEVICE.matcher(answer.output());
        if (!route.find()) {
            return Stream.of(Finding.of("route.missing", index, name, address));
        }
        String device = route.group(1);
        String mtu = node.files().text("/sys/class/net/" + device + "/mtu").orElse("?");
        return Stream.of(
                Finding.of("mtu", mtu.strip()), Finding.of("route", index, name, address, device, mtu.strip()));
    }
}
