package dev.muster.runtime.launch;

import dev.muster.spi.Host;
import dev.muster.spi.Node;
import dev.muster.spi.NodeInfo;
import dev.muster.spi.OptionValue;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.IntStream;

/**
 * The nodes of a job, each as its own launcher would see it. Facts that only the machine itself knows are missing.
 *
 * @param here the node that this launcher runs on
 * @param origin who named the hosts, for plans
 */
record AllNodes(Node here, String origin) {

    /**
     * Whether each role of the job has its own containers, and this node is one of them. Hosts and index then count within that role.
     *
     * @param roles that the engine tells apart
     */
    static boolean hasRoles(Node here, List<String> roles) {
        return here.role().filter(roles::contains).isPresent()
                && roles.stream().allMatch(here.hostsByRole()::containsKey);
    }

    /** Whether the platform lists hosts with ports. Each container has its own such list, and does not know the others' lists. */
    static boolean hasHostPorts(Node here) {
        return here.hostsByRole().values().stream()
                .flatMap(List::stream)
                .anyMatch(host -> host.port().isPresent());
    }

    /** Nodes without roles. */
    List<Node> withoutRoles(List<Host> hosts) {
        int count = hosts.isEmpty() ? here.count().orElse(1) : hosts.size();
        if (count == 1) {
            return List.of(here);
        }
        List<Host> shared = List.copyOf(hosts);
        return IntStream.range(0, count)
                .mapToObj(index -> node(index, count, shared, here.role()))
                .toList();
    }

    /** The containers of all roles, one role after the other. */
    List<Node> withRoles(List<String> roles) {
        int count = roles.stream().mapToInt(role -> hostsOf(role).size()).sum();
        return roles.stream()
                .flatMap(role -> IntStream.range(0, hostsOf(role).size())
                        .mapToObj(index -> node(index, count, hostsOf(role), Optional.of(role))))
                .toList();
    }

    private List<Host> hostsOf(String role) {
        return here.hostsByRole().getOrDefault(role, List.of());
    }

    private Node node(int index, int count, List<Host> hosts, Optional<String> role) {
        Optional<Host> host = hosts.isEmpty() ? Optional.empty() : Optional.of(hosts.get(index));
        NodeInfo machine = here.machine();
        return new Node(
                OptionalInt.of(index),
                OptionalInt.of(count),
                Optional.empty(),
                host.map(known -> new OptionValue(known.name(), origin)),
                host.flatMap(Host::address).map(address -> new OptionValue(address, origin)),
                hosts,
                role,
                here.hostsByRole(),
                here.cards(),
                new NodeInfo("node-" + index, List.of(), machine.uid(), machine.home(), machine.usableCores()));
    }
}
