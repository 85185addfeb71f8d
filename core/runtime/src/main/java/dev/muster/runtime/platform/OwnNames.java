package dev.muster.runtime.platform;

import dev.muster.runtime.process.RunMarker;
import dev.muster.spi.Host;
import dev.muster.spi.Node;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Checks whether a name of this node leads to a loopback address here, as Debian's installer writes it into {@code /etc/hosts}. */
final class OwnNames {

    private static final String FILE = "/etc/hosts";

    /** If this is set, Gloo does not look up its own name. */
    private static final String INTERFACE = "GLOO_SOCKET_IFNAME";

    private OwnNames() {}

    /** A warning; empty if the name is fine, the variable is set, the job has one node, or the job is simulated. */
    static Optional<String> warning(Node node, LocalEvidence evidence) {
        Set<String> variables = evidence.environment().keySet();
        boolean isChosen = variables.contains(INTERFACE) || variables.contains(RunMarker.VARIABLE);
        if (node.count().orElse(1) == 1 || isChosen) {
            return Optional.empty();
        }
        String hosts = evidence.text(FILE).orElse("");
        int index = node.index().orElse(-1);
        boolean isListed = index >= 0 && index < node.hosts().size();
        Stream<String> listed = isListed ? Stream.of(node.hosts().get(index)).map(Host::name) : Stream.empty();
        return Stream.concat(listed, Stream.of(node.machine().hostName()))
                .flatMap(name -> loopback(name, hosts)
                        .map(address -> "this node's name " + name + " leads to " + address + " here (" + FILE
                                + "): what listens at that name, such as Gloo, cannot be reached by other nodes, and the"
                                + " framework may hang. Give the name the node's own address there, or set "
                                + INTERFACE)
                        .stream())
                .findFirst();
    }

    /** The name's loopback address. The first IPv4 line with the name counts. */
    private static Optional<String> loopback(String name, String hosts) {
        return hosts.lines()
                .map(line -> List.of(line.split("#", 2)[0].strip().split("\\s+", -1)))
                .filter(words -> words.lastIndexOf(name) > 0 && !words.get(0).contains(":"))
                .map(words -> words.get(0))
                .findFirst()
                .filter(address -> address.startsWith("127."));
    }
}
