package dev.muster.spi;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The container or machine that this launcher runs on, and what is known of the other nodes.
 *
 * @param index 0..count-1, if platform or options tell it
 * @param count the number of nodes of the job, if platform or options tell it
 * @param name this node's name on the platform, for example the pod name
 * @param address the address under which the platform knows this node's host
 * @param elastic the least and the most nodes of the job, {@code 1:4}, if the platform adds and removes nodes while it runs; without
 *     effect if {@code count} is known
 * @param hosts the hosts of all nodes in node order; empty when unknown
 * @param role the platform's word for what this node does, for example {@code worker}
 * @param hostsByRole if the platform gives each role its own containers: the hosts of every role, in node order, by the
 *     role's name in lower case
 * @param cards the choice of accelerators on this node; {@link CardChoice#NONE} without one
 * @param machine facts of the machine itself
 * @since 0.1
 */
@Stability(stable = true)
public record Node(
        OptionalInt index,
        OptionalInt count,
        Optional<OptionValue> elastic,
        Optional<OptionValue> name,
        Optional<OptionValue> address,
        List<Host> hosts,
        Optional<String> role,
        Map<String, List<Host>> hostsByRole,
        CardChoice cards,
        NodeInfo machine) {

    public Node {
        hosts = List.copyOf(hosts);
        hostsByRole = Map.copyOf(hostsByRole);
    }

    /** Index and count are both known. */
    public boolean knowsItsIndex() {
        return index.isPresent() && count.isPresent();
    }
}
